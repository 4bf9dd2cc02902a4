// Azurite's table service on a free port of loopback: `node azurite.mjs FOLDER [PATH]`.
//
// FOLDER holds node_modules; PATH keeps the tables on disk, in memory without it. Prints the port
// on a line of its own. Ends with its standard input, and writes to disk what it has before that.
// It is started through its classes, and not its command, which takes no free port, and which
// reports to its vendor unless told not to.

import { createRequire } from 'node:module'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

const [folder, path] = process.argv.slice(2)
const load = createRequire(resolve(folder) + '/')
const Configuration = load('azurite/dist/src/table/TableConfiguration.js').default
const Server = load('azurite/dist/src/table/TableServer.js').default

if (path) mkdirSync(path, { recursive: true })
const keep_alive_seconds = 5
const settings = {
    host: '127.0.0.1',
    port: 0,
    keepAliveTimeout: keep_alive_seconds,
    metadataDBPath: resolve(path ?? '.', '__azurite_db_table__.json'),
    enableDebugLog: false,
    enableAccessLog: false,
    accessLogWriteStream: undefined,
    debugLogFilePath: undefined,
    loose: false,
    skipApiVersionCheck: true,
    cert: '',
    key: '',
    pwd: '',
    oauth: undefined,
    disableProductStyleUrl: false,
    isMemoryPersistence: !path,
}
const server = new Server(new Configuration(...Object.values(settings)))
await server.start()
console.log(new URL(server.getHttpServerAddress()).port)

process.stdin.on('end', async () => {
    await server.close()
    process.exit(0)
})
process.stdin.resume()

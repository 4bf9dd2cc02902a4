// dynalite on a free port of loopback: `node dynalite.mjs FOLDER [PATH]`.
//
// FOLDER holds node_modules; PATH keeps the tables on disk, in memory without it. Prints the port
// on a line of its own. Ends with its standard input, so it cannot outlive who started it.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const [folder, path] = process.argv.slice(2)
const dynalite = createRequire(resolve(folder) + '/')('dynalite')
const at_once = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }

const server = dynalite({ ...at_once, ...(path ? { path } : {}) })
server.listen(0, '127.0.0.1', () => console.log(server.address().port))

process.stdin.on('end', () => process.exit(0))
process.stdin.resume()

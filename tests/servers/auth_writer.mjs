// What auth.js leaves in an Azure table by its ordinary calls:
//
//     node auth_writer.mjs write FOLDER ENDPOINT TABLE USERS     users, accounts, sessions; changes
//     node auth_writer.mjs stop  FOLDER ENDPOINT TABLE CALL EMAIL WRITES   killed within that call
//     node auth_writer.mjs use   FOLDER ENDPOINT TABLE           fails unless all works again
//     node auth_writer.mjs move  FOLDER ENDPOINT TABLE           changes e-mails until input ends
//
// FOLDER holds node_modules, ENDPOINT is that of the account. The adapter keeps indexes by hand, in
// the same table: users by e-mail, accounts and the last session by user. Of every hundred users
// some are changed by calls that look after these, and some by calls that do not; they stand below.
//
// `stop` lets the named writes of one call reach the server ("1", "2,3"), no other, and then ends
// the process by SIGKILL. `use`, after a repair: each user is found by e-mail, as it is, and by each
// of its accounts; what is free can be had, what is taken cannot; users come and go. `move` is an
// application that looks after its index: new entry, user, old entry gone, at full speed, for the
// users whose e-mail begins with "move"; it takes the same few addresses again and again.

import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const [mode, folder, endpoint, name, ...words] = process.argv.slice(2)
const load = createRequire(resolve(folder) + '/')
const { AzureNamedKeyCredential, TableClient } = load('@azure/data-tables')
const { TableStorageAdapter } = await import(
    resolve(folder, 'node_modules/@auth/azure-tables-adapter/index.js'))

// Published with the emulator: the account and key of everyone's tests.
const account = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
const at_once = 16
const hour_ms = 3_600_000

function client_with(...policies) {
    return new TableClient(`${endpoint}/${account}`, name, new AzureNamedKeyCredential(account, key), {
        allowInsecureConnection: true,
        additionalPolicies: policies.map((policy) => ({ policy, position: 'perRetry' })),
    })
}

const client = client_with()
const adapter = TableStorageAdapter(client)

const email_of = (number, before = 'user') => `${before}${number}@example.com`
const google_of = (number) => ({ provider: 'google', providerAccountId: `acc${number}` })
const github_of = (number) => ({ provider: 'github', providerAccountId: `hub${number}` })
const user_of = (number) => ({
    name: `User ${number}`,
    email: email_of(number),
    emailVerified: new Date(1_700_000_000_000 + number * 1000),
    image: `https://img.example/${number}.png`,
})
const session_of = (token, userId, expires_ms = hour_ms) =>
    ({ sessionToken: token, userId, expires: new Date(Date.now() + expires_ms) })

// What is done with a user, by the last two digits of its number. `token` is that of its session.
const changes = {
    // The e-mail is another: the index has the old one.
    1: (user) => adapter.updateUser({ id: user.id, email: `moved-${user.email}` }),
    // The name is another: the copy has the old one.
    2: (user) => adapter.updateUser({ id: user.id, name: 'another' }),
    // The e-mail is taken: the call fails, and the second user is there all the same.
    3: (user) => assert.rejects(adapter.createUser({ name: 'second', email: user.email })),
    // A second session hides the first, which stays for ever.
    4: async (user, token) => {
        await adapter.createSession(session_of(`${token}-second`, user.id))
        await adapter.deleteUser(user.id)
    },
    // One of two accounts goes, and the index row of both.
    5: (_user, _token, number) => adapter.unlinkAccount(google_of(number)),
    // A session that is over goes when it is read; the index names it still.
    6: (_user, token) => adapter.getSessionAndUser(token),
    7: async (user) => {
        await adapter.updateUser({ id: user.id, email: `moved-${user.email}` })
        await adapter.deleteUser(user.id)
    },
    // The first of two sessions goes, and the index row that names the second.
    8: async (user, token) => {
        await adapter.createSession(session_of(`${token}-second`, user.id))
        await adapter.deleteSession(token)
    },
    // The last of two sessions is over, and goes when it is read; the index names it, not the first.
    12: async (user, token) => {
        await adapter.createSession(session_of(`${token}-second`, user.id, -hour_ms))
        await adapter.getSessionAndUser(`${token}-second`)
    },
    // Two of three sessions are left, and no index row.
    13: async (user, token) => {
        await adapter.createSession(session_of(`${token}-second`, user.id))
        await adapter.createSession(session_of(`${token}-third`, user.id))
        await adapter.deleteSession(token)
    },
    // Nothing is wrong after these.
    20: (user) => adapter.deleteUser(user.id),
    21: (_user, token) => adapter.updateSession({ sessionToken: token, expires: new Date(2e12) }),
    22: (user, token) => adapter.createSession(session_of(`${token}-second`, user.id)),
}

// Calls `work` for each, some at once.
async function for_each(chosen, work) {
    const waiting = [...chosen]
    const worker = async () => {
        while (waiting.length) await work(waiting.shift())
    }
    await Promise.all(Array.from({ length: at_once }, worker))
}

async function make(number) {
    const digits = number % 100
    const user = await adapter.createUser(user_of(number))
    const linked = { userId: user.id, type: 'oauth', access_token: `token${number}` }
    await adapter.linkAccount({ ...linked, ...google_of(number) })
    if (digits === 5) await adapter.linkAccount({ ...linked, ...github_of(number) })
    const token = `session-${number}`
    await adapter.createSession(session_of(token, user.id, digits === 6 ? -hour_ms : hour_ms))
    await changes[digits]?.(user, token, number)
}

async function write() {
    await client.createTable()
    await for_each(Array.from({ length: Number(words[0]) }, (_, number) => number), make)
}

// Lets just these writes of a call through, in order of their being sent, and kills the process
// once the last of them was answered.
function stopping_after(let_through) {
    let sent = 0
    let done = 0
    return {
        name: 'stopping',
        async sendRequest(request, next) {
            if (request.method === 'GET') return next(request)
            sent += 1
            if (!let_through.includes(sent)) return new Promise(() => {})
            const answer = await next(request)
            done += 1
            if (done === let_through.length) process.kill(process.pid, 'SIGKILL')
            return answer
        },
    }
}

const calls = {
    createUser: (stopped, _user, email) => stopped.createUser({ name: 'stopped', email }),
    linkAccount: (stopped, user) =>
        stopped.linkAccount({ userId: user.id, type: 'oauth', ...github_of(user.email) }),
    createSession: (stopped, user) =>
        stopped.createSession(session_of(`stopped-${user.email}`, user.id)),
    deleteUser: (stopped, user) => stopped.deleteUser(user.id),
    unlinkAccount: (stopped, _user, email) =>
        stopped.unlinkAccount(google_of(Number(email.match(/\d+/)[0]))),
}

async function stop() {
    const [call, email, writes] = words
    const user = await adapter.getUserByEmail(email)
    const policy = stopping_after(writes.split(',').map(Number))
    await calls[call](TableStorageAdapter(client_with(policy)), user, email)
    assert.fail(`${call} came to its end`)
}

async function rows_of(kind) {
    const rows = []
    const filter = `PartitionKey eq '${kind}'`
    for await (const row of client.listEntities({ queryOptions: { filter } })) rows.push(row)
    return rows
}

const keys = ['name', 'email', 'image', 'id']
const person = (user) => user && Object.fromEntries(keys.map((key) => [key, user[key]]))

async function use() {
    const users = await rows_of('user')
    assert.ok(users.length > 0)
    const those_with = new Map()
    for (const user of users) those_with.set(user.email, (those_with.get(user.email) ?? 0) + 1)
    await for_each(users, async (user) => {
        const found = await adapter.getUserByEmail(user.email)
        // Which of two users has the address, a person has to say.
        if (those_with.get(user.email) === 1) assert.deepEqual(person(found), person(user))
        await assert.rejects(adapter.createUser({ name: 'taken', email: user.email }))
    })
    // These calls have left users behind again.
    const known = new Set(users.map((user) => user.id))
    await for_each(await rows_of('user'), async (user) => {
        if (!known.has(user.id)) await client.deleteEntity('user', user.id)
    })
    const accounts = await rows_of('account')
    const by_user = new Map((await rows_of('accountByUserId')).map((row) => [row.rowKey, row]))
    await for_each(accounts, async (row) => {
        assert.equal(by_user.get(row.userId)?.[row.provider], row.providerAccountId)
        if (!known.has(row.userId)) return
        assert.equal((await adapter.getUserByAccount(row)).id, row.userId)
    })
    // Nobody has the old address of those who moved.
    const moved = users.filter((user) => user.email.startsWith('moved-'))
    await for_each(moved, async (user) => {
        const again = await adapter.createUser({ name: 'again', email: user.email.slice(6) })
        assert.equal((await adapter.getUserByEmail(again.email)).id, again.id)
        await client.deleteEntity('user', again.id)
        await client.deleteEntity('userByEmail', again.email)
    })
}

// Every user has addresses of its own to move between; so each is free once it was left.
async function move() {
    let going = true
    let moves = 0
    process.stdin.on('end', () => { going = false })
    process.stdin.resume()
    const users = (await rows_of('user')).filter((user) => user.email.startsWith('move'))
    assert.ok(users.length >= at_once)
    const worker = async (_, first) => {
        for (let round = 0; going; ++round) {
            for (let index = first; going && index < users.length; index += at_once) {
                await move_one(users[index], `move${round % 3}-${users[index].id}@example.com`)
                if (++moves === 1) console.log('moving')
            }
        }
    }
    await Promise.all(Array.from({ length: at_once }, worker))
    console.log(moves)
}

async function move_one(user, email) {
    const { etag, timestamp, partitionKey, rowKey, ...kept } = user
    if (email === user.email) return
    const entry = { ...kept, email, partitionKey: 'userByEmail', rowKey: email }
    await client.upsertEntity(entry, 'Replace')
    await client.updateEntity({ partitionKey: 'user', rowKey, email }, 'Merge')
    const before = user.email
    user.email = email
    // Nobody else has it; a repair may have taken it away already.
    await client.deleteEntity('userByEmail', before).catch((error) => {
        if (error.statusCode !== 404) throw error
    })
}

await { write, stop, use, move }[mode]()

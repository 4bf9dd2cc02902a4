// What dynamodb-onetable leaves in a table by its ordinary calls:
//
//     node onetable_writer.mjs write FOLDER ENDPOINT TABLE USERS   answer key on standard output
//     node onetable_writer.mjs use   FOLDER ENDPOINT TABLE USERS   fails unless all works again
//
// FOLDER holds node_modules. `write` makes the table and its users. An e-mail is unique, a handle is
// unique in its tenant; the library keeps a claim for each, in the same table. Of every hundred
// users some are changed by calls that look after the claims, and some by calls that do not:
//
//     2  update(…, {remove: ['email']})   the claim stays
//     3  update(…, {set: {email}})        the old claim stays, the new one is not made
//     5  remove({id})                     the claim of the handle stays: no tenant, no scope
//     6  deleteItem({id})                 both claims stay
//
// `use`, after a repair: what is claimed cannot be had, what is not can, users come and go.

import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const [mode, folder, endpoint, name, users_text] = process.argv.slice(2)
const load = createRequire(resolve(folder) + '/')
const { DynamoDBClient } = load('@aws-sdk/client-dynamodb')
const { Dynamo } = load('dynamodb-onetable/Dynamo')
const { Table } = load('dynamodb-onetable')

const users = Number(users_text)
const at_once = 16
const schema = {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
        User: {
            pk: { type: String, value: 'user#${id}' },
            sk: { type: String, value: 'user#' },
            id: { type: String, required: true },
            email: { type: String, unique: true },
            tenant: { type: String },
            handle: { type: String, unique: true, scope: '${tenant}' },
            name: { type: String },
        },
    },
    params: { typeField: '_type' },
}
const client = new Dynamo({
    client: new DynamoDBClient({
        endpoint,
        region: 'us-east-1',
        maxAttempts: 12,
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'test-secret' },
    }),
})
const table = new Table({ client, name, schema, partial: true, warn: false, logger: false })
const User = table.getModel('User')

const id_of = (number) => `u${number}`
const tenant_of = (number) => (number % 7 ? 'acme' : 'globex')
const email_of = (number, before = 'user') => `${before}${number}@example.com`
const handle_of = (number) => `h${number}`
const quiet = { return: 'none' }

const user = (number) => ({
    id: id_of(number),
    email: email_of(number),
    tenant: tenant_of(number),
    handle: handle_of(number),
    name: `N${number}`,
})

// What is done to a user, by the last two digits of its number.
const changes = {
    1: (number) => User.update({ id: id_of(number), email: email_of(number, 'moved') }, quiet),
    2: (number) => User.update({ id: id_of(number) }, { remove: ['email'], ...quiet }),
    3: (number) =>
        User.update({ id: id_of(number) }, { set: { email: email_of(number, 'set') }, ...quiet }),
    4: (number) => User.upsert({ id: id_of(number), email: email_of(number, 'upsert') }, quiet),
    5: (number) => User.remove({ id: id_of(number) }),
    6: (number) => User.deleteItem({ id: id_of(number) }),
    7: (number) => User.update({ id: id_of(number), name: 'another' }, quiet),
}

const email_key = (email) => [`_unique#User#email#${email}`, '_unique#']
const handle_key = (number) =>
    [`_unique#${tenant_of(number)}#User#handle#${handle_of(number)}`, '_unique#']
const stale = (index, key) =>
    ({ index, kind: 'stale_pointer', reason: 'unclaimed', key, pointer: [] })
const missing = (index, key) =>
    ({ index, kind: 'orphaned_write', reason: 'entry_missing', key, pointer: [] })

// What is then wrong, by the last two digits of a user's number.
const drift = {
    2: (number) => [stale('email', email_key(email_of(number)))],
    3: (number) => [
        stale('email', email_key(email_of(number))),
        missing('email', email_key(email_of(number, 'set'))),
    ],
    5: (number) => [stale('handle', handle_key(number))],
    6: (number) => [
        stale('email', email_key(email_of(number))),
        stale('handle', handle_key(number)),
    ],
}

const numbers = Array.from({ length: users }, (_, number) => number + 1)
const those = (digits) => numbers.filter((number) => number % 100 === digits)

// Calls `work` for each number, some at once.
async function for_each(chosen, work) {
    const waiting = [...chosen]
    const worker = async () => {
        while (waiting.length) await work(waiting.shift())
    }
    await Promise.all(Array.from({ length: at_once }, worker))
}

async function write() {
    await table.createTable()
    await for_each(numbers, (number) => User.create(user(number)))
    for (const [digits, change] of Object.entries(changes)) {
        await for_each(those(Number(digits)), change)
    }
    for (const [digits, wrong] of Object.entries(drift)) {
        for (const number of those(Number(digits))) {
            for (const line of wrong(number)) console.log(JSON.stringify(line))
        }
    }
}

async function is_refused(properties) {
    await assert.rejects(User.create(properties), { code: 'UniqueError' })
}

async function use() {
    const another = { tenant: 'acme', name: 'another' }
    // Nobody has these any more.
    for (const digits of [2, 3, 6]) {
        await for_each(those(digits), async (number) => {
            const id = `again${number}`
            await User.create({ ...another, id, email: email_of(number), handle: id })
            assert.equal((await User.get({ id })).email, email_of(number))
            await User.remove({ id, tenant: 'acme' })
            assert.equal(await User.get({ id }), undefined)
        })
    }
    for (const digits of [5, 6]) {
        await for_each(those(digits), (number) => User.create(user(number)))
    }
    // Somebody has these.
    await for_each(those(3), (number) =>
        is_refused({ ...another, id: 'x', email: email_of(number, 'set'), handle: 'x' }))
    await for_each([...those(5), ...those(7)], (number) =>
        is_refused({ ...user(number), id: 'x', email: `x${number}@example.com` }))
    await for_each(those(3), async (number) => {
        await User.update({ id: id_of(number), email: email_of(number) }, quiet)
        assert.equal((await User.get({ id: id_of(number) })).email, email_of(number))
    })
    const found = await table.scanItems({}, { parse: true, hidden: true })
    assert.ok(found.length > 0)
}

await { write, use }[mode]()

// The job of an audit as queries of DuckDB. See peer.mjs.
//
// A query is a way to compare and, after a slash, a way to read. Columns are declared, so that
// nothing is sniffed; only two of them are read; order is given up.

import duckdb, { DuckDBInstance } from '@duckdb/node-api';

import { measure, readArguments } from './peer.mjs';

const { query, threads, users, entries } = readArguments();

const list = (files) => '[' + files.map((file) => `'${file}'`).join(', ') + ']';
const gzip = `compression = 'gzip'`;

function columnsOf(files) {
  const names = files === users ? ['UserId', 'City', 'CreatedAt', 'Email', 'Name', 'Plan']
                                : ['Email', 'UserId'];
  return names.map((name) => `${name}: 'VARCHAR'`).join(', ');
}

const extracted = (column, from) => `(select v[1] as email, v[2] as id from (select
  json_extract_string(${column}, ['$.Item.Email.S', '$.Item.UserId.S']) as v from ${from}))`;

const ways = {
  // The reader of JSON takes the rows apart.
  columns: (files) => `(select Item.Email.S as email, Item.UserId.S as id
    from read_json(${list(files)}, format = 'newline_delimited', ${gzip},
      columns = {Item: 'STRUCT(Email STRUCT(S VARCHAR), UserId STRUCT(S VARCHAR))'}))`,
  // It hands over whole rows, and a function takes out what is wanted: twice as fast.
  objects: (files) => extracted('json', `read_json_objects(${list(files)},
    format = 'newline_delimited', ${gzip})`),
  // The reader of CSV cuts lines, of one field each.
  lines: (files) => extracted('line', `read_csv(${list(files)}, header = false,
    auto_detect = false, delim = '\x01', quote = '', escape = '', ${gzip},
    columns = {line: 'VARCHAR'})`),
  csv: (files) => `(select Email as email, UserId as id
    from read_csv(${list(files)}, header = true, auto_detect = false, delim = ',', quote = '"',
      escape = '"', columns = {${columnsOf(files)}}))`,
};

const [comparison, way] = query.split('/');
const called = `(select lower(email) as email, id from ${ways[way](users)})`;
const held = ways[way](entries);

const comparisons = {
  join: `select coalesce(b.email, i.email), coalesce(b.id, i.id), i.id is null
    from ${called} b full outer join ${held} i on b.email = i.email and b.id = i.id
    where b.id is null or i.id is null`,
  // The other side as the one that the hash table is built from.
  join_turned: `select coalesce(b.email, i.email), coalesce(b.id, i.id), i.id is null
    from ${held} i full outer join ${called} b on b.email = i.email and b.id = i.id
    where b.id is null or i.id is null`,
  anti: `with b as materialized (select * from ${called}), i as materialized (select * from ${held})
    select email, id, true from b anti join i using (email, id)
    union all select email, id, false from i anti join b using (email, id)`,
  group: `select email, id, sum(side) > 0 from (
      select email, id, 1 as side from ${called} union all select email, id, -1 from ${held})
    group by email, id having sum(side) <> 0`,
  // The keys by a second look: first the hashes that differ, then the rows that have them.
  hash: `with h as materialized (select h from (
      select hash(email, id) as h, 1 as side from ${called}
      union all select hash(email, id), -1 from ${held}) group by h having sum(side) <> 0)
    select email, id, true from ${called} where hash(email, id) in (select h from h)
    union all select email, id, false from ${held} where hash(email, id) in (select h from h)`,
};

const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
const connection = await instance.connect();
await connection.run('set preserve_insertion_order = false');

await measure('DuckDB', duckdb.version(), query,
              () => connection.runAndReadAll('select 1'),
              async () => (await connection.runAndReadAll(comparisons[comparison])).getRows());

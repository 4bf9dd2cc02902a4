// The job of an audit as queries of ClickHouse, in the process (chdb). See peer.mjs.
//
// A query is a way to compare and, after a slash, a way to read. Columns are declared, so that
// nothing is sniffed; only two of them are read.

import { createRequire } from 'node:module';

import { measure, readArguments } from './peer.mjs';

const { Session } = createRequire(import.meta.url)('chdb');
const { folder, query, threads } = readArguments();

const type = 'Tuple(Email Tuple(S String), UserId Tuple(S String))';

const ways = {
  // The reader of JSON takes the rows apart.
  columns: (table) => `(select Item.Email.S as email, Item.UserId.S as id
    from file('${folder}/${table}/data/*.json.gz', 'JSONEachRow', 'Item ${type}', 'gzip'))`,
  // It hands over lines, and a function takes out what is wanted.
  lines: (table) => `(select v.1.1 as email, v.2.1 as id from (
    select JSONExtract(line, 'Item', '${type}') as v
    from file('${folder}/${table}/data/*.json.gz', 'LineAsString', 'line String', 'gzip')))`,
  csv: (table) => `(select Email as email, UserId as id
    from file('${folder}/${table}/*.csv', 'CSVWithNames', 'Email String, UserId String'))`,
};

const [comparison, way] = query.split('/');
const called = `(select lower(email) as email, id from ${ways[way]('Users')})`;
const held = ways[way]('UsersByEmail');

const join = (algorithm) => `select if(b.id = '', i.email, b.email), if(b.id = '', i.id, b.id),
    i.id = ''
  from ${called} b full outer join ${held} i on b.email = i.email and b.id = i.id
  where b.id = '' or i.id = '' settings join_algorithm = '${algorithm}'`;

const comparisons = {
  join: join('hash'),
  join_parallel: join('parallel_hash'),
  join_sorted: join('full_sorting_merge'),
  group: `select email, id, sum(side) > 0 from (
      select email, id, 1 as side from ${called} union all select email, id, -1 from ${held})
    group by email, id having sum(side) != 0`,
  // The keys by a second look: first the hashes that differ, then the rows that have them.
  hash: `with h as (select h from (
      select cityHash64(email, id) as h, 1 as side from ${called}
      union all select cityHash64(email, id), -1 from ${held}) group by h having sum(side) != 0)
    select email, id, 1 from ${called} where cityHash64(email, id) in (select h from h)
    union all select email, id, 0 from ${held} where cityHash64(email, id) in (select h from h)`,
};

const session = new Session();
for (const [name, value] of Object.entries({ max_threads: threads,
                                             input_format_skip_unknown_fields: 1,
                                             max_bytes_before_external_group_by: 0 })) {
  session.query(`set ${name} = ${value}`);
}
const rowsOf = (text) => text.split('\n').filter((line) => line !== '')
  .map((line) => line.split('\t'));

await measure('ClickHouse', session.query('select version()', 'TSV').trim(), query,
              async () => session.query('select 1', 'TSV'),
              async () => rowsOf(session.query(comparisons[comparison], 'TSV')));
session.close();

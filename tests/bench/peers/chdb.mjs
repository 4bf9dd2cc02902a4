// The job of an audit as queries of ClickHouse, in the process (chdb). See peer.mjs.
//
// Columns are declared, so that nothing is sniffed; only two of them are read.

import { createRequire } from 'node:module';

import { measure, readArguments } from './peer.mjs';

const { Session } = createRequire(import.meta.url)('chdb');
const { form, folder, query, threads } = readArguments();

const json = 'Item Tuple(Email Tuple(S String), UserId Tuple(S String))';
const field = (name) =>
  `simpleJSONExtractString(simpleJSONExtractRaw(line, '${name}'), 'S')`;

const sources = {
  gzip: (table) => `(select Item.Email.S as email, Item.UserId.S as id
    from file('${folder}/${table}/*.ndjson.gz', 'JSONEachRow', '${json}', 'gzip'))`,
  csv: (table) => `(select Email as email, UserId as id
    from file('${folder}/${table}/*.csv', 'CSVWithNames', 'Email String, UserId String'))`,
  // Searches each line for the names instead of reading it as JSON: right for these files alone.
  lines: (table) => `(select ${field('Email')} as email, ${field('UserId')} as id
    from file('${folder}/${table}/*.ndjson.gz', 'LineAsString', 'line String', 'gzip'))`,
};

function join(source, algorithm) {
  return `select if(b.id = '', i.email, b.email), if(b.id = '', i.id, b.id), i.id = ''
    from (select lower(email) as email, id from ${source('Users')}) b
    full outer join ${source('UsersByEmail')} i on b.email = i.email and b.id = i.id
    where b.id = '' or i.id = '' settings join_algorithm = '${algorithm}'`;
}

function group(source) {
  return `select email, id, sum(side) > 0 from (
      select lower(email) as email, id, 1 as side from ${source('Users')}
      union all select email, id, -1 from ${source('UsersByEmail')})
    group by email, id having sum(side) != 0`;
}

const queries = {
  join: () => join(sources[form], 'hash'),
  join_parallel: () => join(sources[form], 'parallel_hash'),
  join_sorted: () => join(sources[form], 'full_sorting_merge'),
  group: () => group(sources[form]),
  join_lines: () => join(sources.lines, 'parallel_hash'),
  group_lines: () => group(sources.lines),
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
              async () => rowsOf(session.query(queries[query](), 'TSV')));
session.close();

// What the scripts of all peers share: their arguments, the files, and the one line of JSON that
// they print.
//
//     node PEER.mjs gzip|csv FOLDER QUERY THREADS
//
// FOLDER holds Users and UsersByEmail, folders of parts; gzip is in `data` of each. A query must give
// the keys that differ, each with the side on which it stands; the caller checks how many there are.
// Time runs from the
// query's text to its last row: starting Node, loading the library and opening a database are not
// counted. Memory is the peak of the whole process before and after.

import fs from 'node:fs';
import path from 'node:path';

export function readArguments() {
  const [form, folder, query, threads] = process.argv.slice(2);
  const [below, ending] = form === 'gzip' ? ['data', '.json.gz'] : ['', '.csv'];
  const parts = (table) =>
    fs.readdirSync(path.join(folder, table, below)).filter((name) => name.endsWith(ending)).sort()
      .map((name) => path.join(folder, table, below, name));
  return { folder, query, threads: Number(threads), users: parts('Users'),
           entries: parts('UsersByEmail') };
}

function memoryPeakKib() {
  const line = fs.readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/);
  return Number(line[1]);
}

// `run` gives rows of [email, user id, side], side being 1 where only the base table has it.
export async function measure(peer, version, query, warmUp, run) {
  await warmUp();
  const idleKib = memoryPeakKib();
  const used = process.cpuUsage();
  const begin = process.hrtime.bigint();
  const rows = await run();
  const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
  const { user, system } = process.cpuUsage(used);
  const sides = rows.map((row) => Number(row[2]));
  const named = rows.every((row) => row[0].includes('@') && row[1].startsWith('u'));
  console.log(JSON.stringify({
    peer, version, query, seconds, processor_seconds: (user + system) / 1e6, idle_kib: idleKib, memory_kib: memoryPeakKib(),
    orphaned: sides.filter((side) => side > 0).length,
    stale: sides.filter((side) => side <= 0).length, named }));
}

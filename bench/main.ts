import { benchCommands } from './commands.ts';
import { benchHistory } from './history.ts';
import { benchQuota } from './quota.ts';
import { benchStart } from './start.ts';
import { benchWorkspaces } from './workspaces.ts';

const benches = {
  start: benchStart,
  commands: benchCommands,
  quota: benchQuota,
  workspaces: benchWorkspaces,
  history: benchHistory,
};

// `npm run bench` runs all benchmarks, and `npm run bench -- start history` those two.
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`no benchmark ${unknown.join(', ')}: ${Object.keys(benches).join(', ')}`);
for (const [name, bench] of Object.entries(benches))
  if (names.length === 0 || names.includes(name)) await bench();
// The PostgreSQL server that the benchmarks share ends with this process, and would keep it running.
process.exit();

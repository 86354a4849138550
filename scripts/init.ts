import { runInit } from './init/run-init.ts';
import { createTerminal } from './init/terminal.ts';

const terminal = createTerminal(process.stdin, process.stdout);
try {
  process.exitCode = await runInit({ terminal, env: process.env, file: '.env' });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  terminal.close();
}

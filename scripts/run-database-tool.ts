import type { TableDigest } from '../src/db/backup/copy-store.ts';
import { RackhandError } from '../src/errors.ts';
import { runTool } from './run-tool.ts';

/**
 * Runs a tool that copies tables, and prints what they hold. Prints the reason and sets the exit
 * code to 1 if the tool fails.
 */
export async function runDatabaseTool(
  usage: string,
  argumentCount: number,
  run: (...values: string[]) => Promise<readonly TableDigest[]>,
): Promise<void> {
  await runTool(usage, async () => {
    const values = process.argv.slice(2);
    if (values.length !== argumentCount || values.includes('')) {
      throw new RackhandError('input_invalid', `Usage: ${usage}`);
    }
    for (const { table, rows, digest } of await run(...values)) {
      if (rows > 0) console.log(`${table}: ${rows} rows, digest ${digest}`);
    }
  });
}

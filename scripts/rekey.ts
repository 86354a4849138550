import { rekey } from '../src/db/encryption/rekey.ts';
import { runTool, withStoredDatabase } from './run-tool.ts';

await runTool('Usage: npm run rekey', () =>
  withStoredDatabase(async ({ db }, vault) => {
    const results = await rekey(db, vault);
    for (const { nouns, reencrypted, unreadable, outdated } of results) {
      const [, plural] = nouns;
      console.log(
        `${plural}: ${reencrypted} encrypted with the first key, ${unreadable} unreadable, ${outdated} still with another key`,
      );
    }
    const isComplete = results.every(({ unreadable, outdated }) => unreadable + outdated === 0);
    console.log(
      isComplete
        ? 'Everything is encrypted with the first of ENCRYPTION_KEYS. You can remove the others.'
        : 'Keep all of ENCRYPTION_KEYS. Unreadable secrets were encrypted with a key that is not among them. Secrets still with another key were written by a process that has the keys in another order: restart it, then run this again.',
    );
    if (!isComplete) process.exitCode = 1;
  }),
);

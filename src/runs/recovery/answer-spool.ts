import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Vault } from '../../db/encryption/vault.ts';

/** The service's answer to a change that succeeded, and that couldn't be recorded yet. */
export interface KnownAnswer {
  readonly runId: string;
  readonly data: unknown;
}

/** Keeps known answers in encrypted files while the database is away, so that a restart doesn't lose them. */
export interface AnswerSpool {
  /** Writes an answer. Logs an error if there is no directory, or it can't be written. */
  save(answer: KnownAnswer): Promise<void>;
  remove(runId: string): Promise<void>;
  /** Returns the answers that earlier processes have left. Leaves out files that it can't read. */
  list(): Promise<readonly KnownAnswer[]>;
}

const suffix = '.answer';
const answerSchema = z.object({ data: z.unknown() });

export function createAnswerSpool({
  dir,
  vault,
  log,
}: {
  /** The directory of the files. Without one, no answers are kept. */
  readonly dir: string | undefined;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}): AnswerSpool {
  const toPath = (directory: string, runId: string) => join(directory, `${runId}${suffix}`);
  const context = (runId: string) => ({ purpose: 'known-answer', owner: runId }) as const;

  async function write(directory: string, { runId, data }: KnownAnswer) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = toPath(directory, runId);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(await vault.encrypt(JSON.stringify({ data }), context(runId)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  async function read(directory: string, runId: string): Promise<readonly KnownAnswer[]> {
    try {
      const text = await vault.decrypt(await readFile(toPath(directory, runId), 'utf8'), context(runId));
      return [{ runId, data: answerSchema.parse(JSON.parse(text)).data }];
    } catch (error) {
      log.error({ err: error, runId }, 'the stored answer to a run could not be read');
      return [];
    }
  }

  return {
    async save(answer) {
      const { runId } = answer;
      try {
        if (dir === undefined) throw new Error('SPOOL_DIR is not set');
        await write(dir, answer);
        log.warn({ runId }, 'the answer to a run is kept in a file until the database is back');
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error(
          { runId, reason },
          'the answer to a run is lost if this process ends before the database is back',
        );
      }
    },
    async remove(runId) {
      if (dir !== undefined) await rm(toPath(dir, runId), { force: true });
    },
    async list() {
      if (dir === undefined) return [];
      const files = await readdir(dir).catch(() => []);
      const runIds = files
        .filter((file) => file.endsWith(suffix))
        .map((file) => file.slice(0, -suffix.length));
      return (await Promise.all(runIds.map((runId) => read(dir, runId)))).flat();
    },
  };
}

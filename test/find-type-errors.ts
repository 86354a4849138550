import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { makeScratchDirectory } from './scratch-directory.ts';

/** A TypeScript type, such as `import('kubernetes-types/apps/v1').Deployment`, and values that should have it. */
interface TypedValues {
  readonly type: string;
  readonly values: readonly unknown[];
}

/** Length of a value in an error. */
const maxShownChars = 1_000;

// Asynchronous, because servers of the same process would close their idle connections meanwhile.
/** Compiles values as literals of a type. Returns the compiler's errors, which include unknown properties. */
export async function findTypeErrors(all: readonly TypedValues[]): Promise<readonly string[]> {
  const directory = makeScratchDirectory('types');
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const statements = all.flatMap(({ type, values }) =>
    values.map((value) => `(${JSON.stringify(value)}) satisfies ${type};`),
  );
  writeFileSync(join(directory, 'values.ts'), `export {};\n${statements.join('\n')}\n`);
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', types: [] };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['values.ts'] }),
  );
  try {
    const tsc = resolve('node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '--pretty', 'false', '-p', directory]);
    return [];
  } catch (error) {
    const { stdout } = z.object({ stdout: z.string() }).parse(error);
    return stdout.split('\n').flatMap((line) => {
      const [, row, message] = /^\S*values\.ts\((\d+),\d+\): (.*)/.exec(line) ?? [];
      return row === undefined
        ? line.startsWith('error')
          ? [line]
          : []
        : [`${message} in ${statements[Number(row) - 2]?.slice(0, maxShownChars)}`];
    });
  }
}

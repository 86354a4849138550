import { fileURLToPath } from 'node:url';

/**
 * Bundles the code in `folder/client` into one minified script, including React's production build.
 * Nothing is written to disk.
 */
export async function bundleClient(folder: URL): Promise<string> {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: fileURLToPath(new URL('client/main.tsx', folder)),
    platform: 'browser',
    write: false,
    logLevel: 'warn',
    tsconfig: fileURLToPath(new URL('client/tsconfig.json', folder)),
    output: { format: 'esm', minify: true, codeSplitting: false },
  });
  return output[0].code;
}

import { fileURLToPath } from 'node:url';

/**
 * Bundles a page's client, the `client` of its folder, into one script, React and all; being minified, it takes the production build of
 * React. Nothing is written to disk.
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

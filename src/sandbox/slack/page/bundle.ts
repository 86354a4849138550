import { fileURLToPath } from 'node:url';

/**
 * Bundles the page's client, React and all, into one script; being minified, it takes the production build of React.
 * Nothing is written to disk.
 */
export async function bundleClient(): Promise<string> {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: fileURLToPath(new URL('client/main.tsx', import.meta.url)),
    platform: 'browser',
    write: false,
    logLevel: 'warn',
    tsconfig: fileURLToPath(new URL('client/tsconfig.json', import.meta.url)),
    output: { format: 'esm', minify: true, codeSplitting: false },
  });
  return output[0].code;
}

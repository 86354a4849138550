import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** Packages that a bundle can't contain: a native module, and font files. */
export const externalPackages = ['@expo-google-fonts/inter', '@resvg/resvg-js'] as const;

/** The programs of Rackhand. `main` starts the others. */
export const programs = {
  main: 'src/main.ts',
  'renderer-main': 'src/charts/renderer-main.ts',
  'backup-main': 'src/db/backup/backup-main.ts',
};

/** Bundles programs into a folder. Returns the paths of all modules that were bundled. */
export async function bundle(
  programs: Readonly<Record<string, string>>,
  dir: string,
  external: readonly string[] = externalPackages,
): Promise<string[]> {
  const { output } = await build({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: programs,
    platform: 'node',
    logLevel: 'warn',
    transform: { target: 'node24' },
    // Bottleneck has an `eval` for Redis, which never runs here.
    checks: { eval: false },
    // Bolt and @slack/oauth load them for a receiver, an encoding of request bodies and a state store
    // that Rackhand doesn't use.
    resolve: { alias: { express: false, 'iconv-lite': false, jsonwebtoken: false } },
    // pg tries to load pg-native, and works without it.
    external: [...external, 'pg-native'],
    // THIRD-PARTY-LICENSES.txt has the comments that licenses ask for.
    output: {
      dir,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      sourcemap: true,
      comments: false,
    },
  });
  const ids = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  // The bundler's own modules have no file.
  return ids.filter((id) => !id.startsWith('\0'));
}

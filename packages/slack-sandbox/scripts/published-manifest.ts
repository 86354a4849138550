import { readFile } from 'node:fs/promises';

/** A file of the published package. */
export interface BuildEntry {
  /** Name of the built file, without its extension. */
  readonly name: string;
  /** Source file, from the package's folder. */
  readonly file: string;
  /** How apps import it, such as `./test`. Left out if they don't. */
  readonly exportedAs?: string;
  /** The type declarations, from the folder of declarations. */
  readonly types?: string;
  /** Whether it is built for `require` too, for Jest and older apps. */
  readonly isCommonJsToo?: boolean;
}

export const entries: readonly BuildEntry[] = [
  { name: 'index', file: 'src/index.ts', exportedAs: '.', types: 'index.d.ts', isCommonJsToo: true },
  {
    name: 'test',
    file: 'src/test-kit/index.ts',
    exportedAs: './test',
    types: 'test-kit/index.d.ts',
    isCommonJsToo: true,
  },
  { name: 'cli', file: 'src/cli/main.ts' },
  { name: 'register', file: 'src/register/main.ts', exportedAs: './register', types: 'register/main.d.ts' },
];

/** The package of the font with which the page shows emoji on machines without one of their own. */
const emojiFont = '@fontsource/noto-color-emoji';

/** Creates the `package.json` of the published package from that of the source. */
export async function createPublishedManifest(sourcePath: string): Promise<string> {
  const { name, version, description, license, type, author, repository, homepage, bugs, devDependencies } =
    JSON.parse(await readFile(sourcePath, 'utf8'));
  return `${JSON.stringify(
    {
      name,
      version,
      description,
      keywords: ['slack', 'bolt', 'sandbox', 'emulator', 'mock', 'testing', 'socket-mode', 'block-kit'],
      license,
      author,
      repository,
      homepage,
      bugs,
      type,
      engines: { node: '>=20' },
      bin: { 'slack-sandbox': 'cli.js' },
      main: 'index.cjs',
      types: 'index.d.ts',
      exports: {
        ...Object.fromEntries(entries.flatMap((entry) => toExport(entry))),
        './package.json': './package.json',
      },
      peerDependencies: { [emojiFont]: `^${devDependencies[emojiFont]}` },
      peerDependenciesMeta: { [emojiFont]: { optional: true } },
    },
    null,
    2,
  )}\n`;
}

function toExport({ name, exportedAs, types, isCommonJsToo }: BuildEntry): [string, object][] {
  if (exportedAs === undefined) return [];
  return [
    [
      exportedAs,
      {
        // With `require`, TypeScript needs declarations of its own, because the others are of a module.
        ...(isCommonJsToo && { require: { types: `./${name}.d.cts`, default: `./${name}.cjs` } }),
        ...(types && { types: `./${name}.d.ts` }),
        default: `./${name}.js`,
      },
    ],
  ];
}

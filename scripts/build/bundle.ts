import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputBundle } from 'rolldown';

/** Packages that a bundle cannot contain: a native module, and font files. */
export const externalPackages = ['@expo-google-fonts/inter', '@resvg/resvg-js'] as const;

/** The programs of a release. Every other one is started by `main`. */
export const programs = {
  main: 'src/main.ts',
  'renderer-main': 'src/charts/renderer-main.ts',
  'checkpoint-main': 'src/db/engines/checkpoint-main.ts',
  'backup-main': 'src/db/backup/backup-main.ts',
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The bundler can only include a package that it sees being required. `createRequire` hides it, and
 * Node.js itself has no other way to load a package at its first use, without waiting.
 */
const bundleLazyPackages = {
  name: 'bundle-lazy-packages',
  transform: {
    filter: { id: /\.ts$/, code: 'createRequire(import.meta.url)' },
    // Nothing moves to another line, so the source maps stay right.
    handler: (code: string) => ({ code: code.replace(/^const require = createRequire.*$/m, ''), map: null }),
  },
};

/**
 * Loads the Socket Mode client when a connection is created, and not with Bolt. Over HTTP, Rackhand
 * doesn't need it.
 */
const loadSocketModeAtFirstUse = {
  name: 'load-socket-mode-at-first-use',
  transform: {
    filter: { id: /@slack\/bolt\/dist\/receivers\/SocketModeReceiver\.js$/ },
    handler(code: string) {
      const lazy = code
        .replace('const socket_mode_1 = require("@slack/socket-mode");', '')
        .replaceAll('socket_mode_1.', '(require("@slack/socket-mode")).');
      if (lazy === code || lazy.includes('socket_mode_1')) {
        throw new Error('Bolt imports its Socket Mode client in another way than before');
      }
      return { code: lazy, map: null };
    },
  },
};

/**
 * Puts undici into a file of its own, which is read when Rackhand is ready. It would be a third of
 * what a start reads.
 */
const useUndiciFile = {
  name: 'use-undici-file',
  resolveId: { filter: { id: /^undici$/ }, handler: () => ({ id: './undici.cjs', external: true }) },
};

/**
 * Gets built-in modules from Node.js directly. To import one, Node.js first reads all its exports, and
 * some of `node:http` load large parts of Node.js that Rackhand doesn't use.
 */
const getBuiltinModules = {
  name: 'get-builtin-modules',
  renderChunk: (code: string) => ({ code: code.replace(builtinImport, toGetBuiltinModule), map: null }),
};

const builtinImport = /^import (?:(?<whole>\w+)|\{(?<names>[^}]*)\}) from "(?<name>node:[^"]+)";$/gm;

function toGetBuiltinModule(_: string, whole: string | undefined, names: string, name: string): string {
  const wanted = whole ?? `{${names.replaceAll(' as ', ': ')}}`;
  return `const ${wanted} = process.getBuiltinModule("${name}");`;
}

/** Writes only ASCII characters. The engine keeps the text of a file, and any other one doubles its size. */
const escapeNonAscii = {
  name: 'escape-non-ascii',
  // The bundler prints the text once more after `renderChunk`.
  generateBundle: (_: unknown, files: OutputBundle) => {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, toEscape);
    }
  },
};

function toEscape(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Bundles programs into a folder. Code that several of them use, and code that is imported at its
 * first use, goes into files of its own. Returns the paths of all modules that were bundled.
 */
export async function bundle(
  programs: Readonly<Record<string, string>>,
  dir: string,
  external: readonly string[] = externalPackages,
): Promise<string[]> {
  const bundles = await Promise.all([
    build({
      ...options,
      input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
      // Bolt and @slack/oauth load them for a receiver, an encoding of request bodies and a state store
      // that Rackhand doesn't use.
      resolve: { alias: { express: false, 'iconv-lite': false, jsonwebtoken: false } },
      // pg tries to load pg-native, and works without it.
      external: [...external, 'pg-native'],
      plugins: [
        bundleLazyPackages,
        useUndiciFile,
        loadSocketModeAtFirstUse,
        getBuiltinModules,
        escapeNonAscii,
      ],
      output: {
        ...outputOptions,
        dir,
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
      },
    }),
    build({
      ...options,
      input: { undici: fileURLToPath(import.meta.resolve('undici')) },
      plugins: [escapeNonAscii],
      output: { ...outputOptions, dir, format: 'cjs', entryFileNames: '[name].cjs' },
    }),
  ]);
  const files = bundles.flatMap(({ output }) => output);
  const ids = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  // The bundler's own modules have no file.
  return ids.filter((id) => !id.startsWith('\0'));
}

const options = { platform: 'node', logLevel: 'warn', transform: { target: 'node24' } } as const;

// THIRD-PARTY-LICENSES.txt has the licenses.
const outputOptions = { sourcemap: true, comments: false } as const;

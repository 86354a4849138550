import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

// The tests drive real servers and a real browser. What is missing is installed where that is possible without
// asking, which is as root on Debian; elsewhere one message says what to install.

interface Program {
  readonly name: string;
  readonly debianPackage: string;
  isThere(): boolean;
}

const programs: readonly Program[] = [
  { name: 'Redis', debianPackage: 'redis-server', isThere: () => isOnPath('redis-server') },
  {
    name: 'PostgreSQL',
    debianPackage: 'postgresql',
    isThere: () => isOnPath('initdb') || globSync('/usr/lib/postgresql/*/bin/initdb').length > 0,
  },
  {
    name: 'Chromium',
    debianPackage: 'chromium',
    isThere: () =>
      [
        process.env.CHROMIUM_PATH,
        '/usr/bin/chromium',
        '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome',
      ].some((path) => path && existsSync(path)),
  },
];

function isOnPath(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

function install(packages: readonly string[]): void {
  const options = {
    stdio: ['ignore', 'inherit', 'inherit'] as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  for (const words of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    spawnSync('apt-get', words, { ...options, stdio: [...options.stdio] });
  }
}

const missing = programs.filter((program) => !program.isThere());
if (missing.length > 0) {
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  if (mayInstall) {
    console.log(
      `The tests need ${missing.map(({ name }) => name).join(', ')}: installing ${packages.join(', ')}.`,
    );
    install(packages);
  }
  const still = missing.filter((program) => !program.isThere());
  if (still.length > 0) {
    console.error(
      `The tests need ${still.map(({ name }) => name).join(', ')}. Install them (on Debian: apt-get install ${packages.join(' ')}), ` +
        'or run npm run test:unit, which needs only Node.js.',
    );
    process.exit(1);
  }
}

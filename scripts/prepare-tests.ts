import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

// The tests need a real PostgreSQL and a real browser. As root on Debian, this script installs missing
// ones; otherwise it prints what to install.

/** The packages of Debian, and where their programs can be. */
const programs: Readonly<Record<string, readonly string[]>> = {
  postgresql: [
    ...(process.env.PATH ?? '').split(':').map((directory) => `${directory}/initdb`),
    ...globSync('/usr/lib/postgresql/*/bin/initdb'),
  ],
  'chromium-headless-shell': [
    process.env.CHROMIUM_PATH ?? '',
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ],
};

const missing = Object.keys(programs).filter((name) => !programs[name]?.some((path) => existsSync(path)));
if (missing.length > 0 && !(process.getuid?.() === 0 && existsSync('/etc/debian_version') && install())) {
  const packages = missing.join(' ');
  console.error(
    `The tests need PostgreSQL and Chromium. Install them (on Debian: apt-get install ${packages}), ` +
      'or run npm run test:unit, which needs only Node.js.',
  );
  process.exit(1);
}

function install(): boolean {
  console.log(`Installing ${missing.join(', ')}, which the tests need.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const commands = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
  ];
  return commands.every(
    (args) => spawnSync('apt-get', args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0,
  );
}

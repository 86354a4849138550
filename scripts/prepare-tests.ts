import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

// The tests need real servers and a real browser. As root on Debian, this script installs missing
// ones; otherwise it prints what to install.

interface TestService {
  readonly name: string;
  readonly debianPackage: string;
  isInstalled(): boolean;
}

const testServices: readonly TestService[] = [
  {
    name: 'PostgreSQL',
    debianPackage: 'postgresql',
    isInstalled: () => isOnPath('initdb') || globSync('/usr/lib/postgresql/*/bin/initdb').length > 0,
  },
  {
    name: 'Chromium',
    debianPackage: 'chromium-headless-shell',
    isInstalled: () =>
      [
        process.env.CHROMIUM_PATH,
        '/usr/bin/chromium-headless-shell',
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
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    spawnSync('apt-get', args, { ...options, stdio: [...options.stdio] });
  }
}

const missingServices = testServices.filter((service) => !service.isInstalled());
if (missingServices.length > 0) {
  const packages = missingServices.map(({ debianPackage }) => debianPackage);
  const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  if (canInstall) {
    console.log(`Installing ${packages.join(', ')}, which the tests need.`);
    install(packages);
  }
  const stillMissing = missingServices.filter((service) => !service.isInstalled());
  if (stillMissing.length > 0) {
    console.error(
      `The tests need ${stillMissing.map(({ name }) => name).join(', ')}. Install them (on Debian: apt-get install ${packages.join(' ')}), ` +
        'or run npm run test:unit, which needs only Node.js.',
    );
    process.exit(1);
  }
}

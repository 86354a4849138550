import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const defaultPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Finds the browser for the tests: `CHROMIUM_PATH`, or a usual place. Throws an error that says
 * what to install.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const { CHROMIUM_PATH: given } = environment;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, and there is no such file.`);
  }
  const found = defaultPaths.find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `The browser tests need Chromium, which is not at ${defaultPaths.join(', ')}: install it ("apt-get install chromium") or set CHROMIUM_PATH.`,
  );
}

/** Starts Chromium in a way that works as root in a container. It makes no requests of its own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Lower than the ports that operating systems assign to connections or pick as free. Only another
 * search could take one of these at the same time.
 */
const [firstPort, lastPort] = [20_000, 32_767];

const maxAttempts = 100;

/** Finds a free port of 127.0.0.1. Used by servers that must know their port before they listen. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${firstPort} to ${lastPort} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

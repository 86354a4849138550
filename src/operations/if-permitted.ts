import { HostingError } from '../hosting/hosting-error.ts';

/** Reads something that it is good to show but possible to do without: says so where the key may not read it. */
export async function ifPermitted<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingError && error.code === 'permission_missing') {
      return `not known: the API key lacks ${error.failure.permission}`;
    }
    throw error;
  }
}

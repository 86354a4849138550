import { HostingError } from '../../hosting/hosting-error.ts';

/** Reads something optional. If the API key isn't permitted to read it, returns a note that says so. */
export async function readIfPermitted<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingError && error.code === 'permission_missing') {
      return `not known: the API key lacks ${error.failure.permission}`;
    }
    throw error;
  }
}

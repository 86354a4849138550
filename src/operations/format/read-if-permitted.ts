import { HostingError } from '../../hosting/hosting-error.ts';

/** Reads something optional. If the service denies access, returns a note that says so instead. */
export async function readIfPermitted<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingError && error.code === 'permission_missing') {
      return `not known: the API key lacks ${error.failure.permission}`;
    }
    if (error instanceof HostingError && error.code === 'access_denied')
      return 'not known: the hosting service denied access (HTTP 403)';
    throw error;
  }
}

import type { CallData, CallInput, CallOptions } from '../../hosting/client/hosting-client.ts';
import type { GetEndpoint } from '../../hosting/endpoints/endpoint.ts';

/**
 * Reads from the hosting service, by default in the run's lane of the quota. `maxAgeMs` is the maximum age
 * of a cached response.
 */
export type Read = <E extends GetEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: Partial<
    Pick<CallOptions, 'lane' | 'caller' | 'maxAgeMs' | 'onStored' | 'maxPages' | 'pagesTimeoutMs'>
  >,
) => Promise<CallData<E>>;

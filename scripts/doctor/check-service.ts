import type { Config } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { formatList } from '../../src/format-list.ts';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { findMappings } from '../../src/hosting/payloads/found-mappings.ts';
import { knownValues } from '../../src/hosting/payloads/known-values.ts';
import { type CheckLine, createLines } from './check-line.ts';
import { findProfileProblems, readPayloads, withHostingClient } from './examine-service.ts';

/** Checks HOSTING_API_KEY with the call that connecting a key makes. */
export async function checkHostingKey({
  workspace,
  hosting,
}: Pick<Config, 'workspace' | 'hosting'>): Promise<CheckLine> {
  const { ok, error } = createLines('hosting key');
  const apiKey = workspace?.apiKey;
  if (!apiKey) return ok('HOSTING_API_KEY is not set. Keys are connected in Slack.');
  try {
    const { permissions } = await withHostingClient(hosting, apiKey, (client) =>
      client.call(getStatus, {}, { lane: 'people' }),
    );
    return permissions.length === 0
      ? error('The key has no permissions. Add some at the hosting service.')
      : ok(`The key has these permissions: ${permissions.join(', ')}.`);
  } catch (failure) {
    if (!(failure instanceof RackhandError)) throw failure;
    return error(
      `The check failed (${failure.code}). Check HOSTING_API_KEY, HOSTING_KEY_HEADER and HOSTING_API_URL.`,
    );
  }
}

/** Reads one payload of each kind, and checks what Rackhand finds in them. */
export async function* checkServiceProfile({ workspace, hosting }: Config): AsyncGenerator<CheckLine> {
  if (!workspace?.apiKey) return;
  const { ok, warning, error } = createLines('service profile');
  const { payloads } = await readPayloads(hosting, workspace.apiKey);
  const { missing, unreadable } = findProfileProblems(payloads, hosting.profile ?? []);
  const problems = [...missing, ...unreadable];
  const found = payloads.flatMap(
    ({ endpoint, data, vpsName }) => findMappings(endpoint, data, vpsName).mappings,
  );
  if (problems.length > 0)
    yield error(
      `HOSTING_PROFILE names fields that the payloads don't have: ${formatList(problems, 'and')}. npm run doctor -- --values shows them.`,
    );
  else if (found.some(({ value }) => value === 'vps.names'))
    yield ok(
      `${found.length} of ${knownValues.length} values were found. npm run doctor -- --values lists them.`,
    );
  else
    yield warning("The names of the VPS aren't found. Correct them with npm run doctor -- --profile FILE.");
}

import { listIpv4Addresses, listIpv6Addresses } from '../../hosting/endpoints/ip-addresses.ts';
import type { IpResourceReading } from '../../hosting/readings/ip-resources.ts';
import { defineRead } from '../operation.ts';
import type { Fact, Outcome } from '../outcome.ts';
import { recordColumns } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';
import { type AllResources, readAllResources } from './all-resources.ts';

/** Bare names of the fields that tell what is shown of a resource anyway. */
export const shownOfIp =
  /^((ip|resource|ipv4|ipv6|address)?id|identifier|uuid|(ip)?addr(ess)?|ip|ip(v[46])?address|ipv[46]|cidr|vps(name)?|attachedto|assignedto|version|ipversion|family|kind)$/;

export const list = defineRead({
  name: 'ip list',
  heading: 'List IP addresses',
  summary: 'List the IPv4 and IPv6 addresses, attached and free',
  arguments: {},
  uses: [listIpv4Addresses, listIpv6Addresses],
  async run({ read }) {
    return describeResources(await readAllResources(read));
  },
});

function describeResources({ resources, mayHaveMore, rests, missing }: AllResources): Outcome {
  const count = resources.length;
  const free = resources.filter(({ vpsName }) => vpsName === undefined);
  // What is free is looked for most, and stands first.
  const sorted = [...free, ...resources.filter(({ vpsName }) => vpsName !== undefined)];
  const extra = recordColumns(
    sorted.map(({ kind, id, address, record }) => ({ name: address ?? `${kind}:${id}`, record })),
    shownOfIp,
  );
  const told = rests.map((rest) => tellResult(rest));
  return {
    title: count === 0 ? 'No IP addresses' : count === 1 ? '1 IP address' : `${count} IP addresses`,
    facts: [...(count === 0 ? [] : [freeFact(free)]), ...told.flatMap(({ facts }) => facts)],
    secrets: [...told.flatMap(({ secrets }) => secrets), ...extra.secrets],
    table: {
      columns: ['Address', 'Attached to', 'ID', ...extra.columns],
      rows: sorted.map(({ kind, id, address, vpsName }, index) => [
        address ?? 'not shown',
        vpsName ?? 'free',
        id === undefined ? 'not shown' : { code: `${kind}:${id}` },
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(count === 0 ? ['The account of this API key has no IPv4 or IPv6 resource.'] : []),
      ...missing.map((setting) => `The service has no list at the path of ${setting}: it has to be set.`),
      ...(mayHaveMore && missing.length === 0
        ? ['The service hints at further pages: there may be more than these.']
        : []),
      ...extra.notes,
    ],
    choose: [
      ...(free.length > 0 ? [chooseIp('Attach a Free Address', 'ip attach')] : []),
      ...(free.length < count ? [chooseIp('Detach an Address', 'ip detach')] : []),
    ],
  };
}

function chooseIp(label: string, operation: string) {
  return { label, operation, argument: 'ip', input: {} };
}

function freeFact(free: readonly IpResourceReading[]): Fact {
  const ipv4 = free.filter(({ kind }) => kind === 'ipv4').length;
  return { label: 'Free', value: `${ipv4} IPv4, ${free.length - ipv4} IPv6` };
}

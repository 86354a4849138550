import { deleteLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import type { LoadBalancer } from '../../hosting/payloads/webgate.ts';
import { loadBalancerChoices } from '../choices/sources/webgate.ts';
import type { RawInput, RawRow } from '../define/arguments/raw-input.ts';
import { defineChange } from '../define/define-operation.ts';
import type { Fact, Value } from '../define/outcome.ts';
import { formatFieldValue } from '../format/facts.ts';
import { formatResult } from '../format/format-result.ts';
import { findFactText } from '../format/target-state.ts';
import { balancerArguments, maxBackends } from './create-load-balancer.ts';
import { domainArgument } from './domain-name.ts';
import { balancerLabel, formatBackends, noLoadBalancer, readWebgatePartState } from './target-state.ts';

/** The documented settings and their labels in the form. The confirmation is bound to these settings. */
const settings = {
  mode: balancerArguments.mode.label,
  sticky_mode: balancerArguments.sticky_mode.label,
  health_check_path: balancerArguments.health_check_path.label,
  redirect_https: balancerArguments.redirect_https.label,
  websocket_enabled: balancerArguments.websocket_enabled.label,
  dedicated_port_id: balancerArguments.dedicated_port_id.label,
};

function formatSettings({ record }: LoadBalancer): readonly Fact[] {
  return Object.entries(settings).flatMap(([field, label]) => {
    const value = record[field];
    return isPlain(value) && value !== 0 ? [{ label, value: formatFieldValue(value) }] : [];
  });
}

const isPlain = (value: unknown) => ['string', 'boolean', 'number'].includes(typeof value);

function otherFields({ record }: LoadBalancer): LoadBalancer['record'] {
  const entries = Object.entries(record);
  return Object.fromEntries(
    entries.filter(([field, value]) => !(Object.hasOwn(settings, field) && isPlain(value))),
  );
}

/** Returns the input that creates a load balancer with these facts, or undefined if a required fact is missing. */
function toCreateInput(domain: string, facts: readonly Fact[]): RawInput | undefined {
  const backends = facts.flatMap(({ label, value }) =>
    /^Backend \d+$/.test(label) ? [parseBackend(value)] : [],
  );
  const values = Object.entries(settings).flatMap(([field, label]) => {
    const text = findFactText(facts, label);
    const value = text === 'yes' ? true : text === 'no' ? false : text;
    return value === undefined ? [] : [[field, value] as const];
  });
  const isComplete =
    backends.length > 0 &&
    backends.length <= maxBackends &&
    values.filter(([field]) => field !== 'dedicated_port_id').length === 5;
  if (!isComplete || backends.some((backend) => backend === undefined)) return undefined;
  return {
    domain_name: domain,
    backends: backends.filter((backend) => backend !== undefined),
    ...Object.fromEntries(values),
  };
}

const backendPattern =
  /^(?<vps>VPS-[\w-]+):(?<port>\d+)(?<backup> \(backup)?.*?(?:, weight (?<weight>\d+))?$/;

function parseBackend(value: Value): RawRow | undefined {
  const found = typeof value === 'string' ? backendPattern.exec(value)?.groups : undefined;
  if (!found?.vps || !found.port) return undefined;
  return {
    vps_name: found.vps,
    target_port: found.port,
    is_backup: found.backup !== undefined,
    ...(found.weight !== undefined && { weight: found.weight }),
  };
}

export const lbDelete = defineChange({
  name: 'lb delete',
  heading: 'Delete a load balancer',
  summary: 'Delete a load balancer by its domain',
  arguments: { domain: domainArgument(loadBalancerChoices) },
  endpoint: deleteLoadBalancer,
  button: 'Delete',
  warning: "The domain stops working. The VPS behind the load balancer aren't changed.",
  title: ({ domain }) => `Delete load balancer ${domain}`,
  target: ({ domain }) => domain,
  readTargetState: ({ read }, { domain }) =>
    readWebgatePartState(read, balancerLabel, ({ loadBalancers: all }) => {
      const found = all.find(({ domainName }) => domainName === domain);
      return (
        found && { facts: [...formatBackends(found), ...formatSettings(found)], record: otherFields(found) }
      );
    }),
  undo({ domain }, before) {
    const input = toCreateInput(domain, before);
    return input && { label: 'Create It Again', operation: 'lb create', input, expected: noLoadBalancer };
  },
  request: ({ domain }) => ({ params: { domain_name: domain } }),
  outcome: (data, { domain }) => ({
    title: `Load balancer ${domain} is deleted`,
    ...formatResult(data, { omit: ['domain_name', 'deleted'] }),
    next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
  }),
});

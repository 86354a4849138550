import { z } from 'zod';
import { type Backend, loadBalancerModes, stickyModes } from '../../hosting/endpoints/fields.ts';
import { createLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { linkablePortChoices } from '../choices/sources/webgate.ts';
import {
  type Argument,
  choiceArgument,
  integerArgument,
  portArgument,
  remoteArgument,
  rowsArgument,
  switchArgument,
  textArgument,
} from '../define/arguments/argument.ts';
import type { RawRow } from '../define/arguments/raw-input.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { isUnlinkedPort } from '../format/webgate-parts.ts';
import { domainNameSchema } from './domain-name.ts';
import { balancerLabel, formatBackends, readWebgatePartState } from './target-state.ts';

/** Maximum number of backends. A modal can have 100 blocks, and each backend takes six. */
export const maxBackends = 15;

interface RequestedBackend {
  readonly vps_name: string;
  readonly target_port: number;
  readonly weight?: number | undefined;
  readonly is_backup: boolean;
}

const healthCheckPath = z
  .string()
  .trim()
  .regex(/^\/\S*$/, { error: 'A path starts with / and has no spaces' });

const portError = 'Give the number of a dedicated port, or 0 for none';

/** Optional in the API document, where 0 means that no port is linked. */
const dedicatedPort: Argument<string | undefined> = {
  ...remoteArgument({
    source: linkablePortChoices,
    label: 'Dedicated port',
    hint: 'A dedicated port to link to the load balancer. Default: none.',
    example: '0',
    flag: 'dedicated-port',
    valueName: 'port',
  }),
  required: false,
  schema: z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, { error: portError })
    .optional(),
};

const weightNumber = integerArgument({ label: 'Weight', example: '1', min: 0, max: 1000 });

/** Optional in the API document, which shows no default. */
const weight: Argument<number | undefined> = {
  ...weightNumber,
  required: false,
  schema: weightNumber.schema.optional(),
};

export const balancerArguments = {
  domain_name: textArgument({ label: 'Domain', example: 'app.example.com' }, domainNameSchema),
  backends: rowsArgument({
    label: 'Backend',
    hint: 'VPS:PORT, optionally with :weight=N and :backup. Repeat the option for each backend.',
    example: 'VPS-10001:80:weight=2',
    flag: 'backend',
    valueName: 'VPS:PORT',
    max: maxBackends,
    parseWord: parseBackend,
    fields: {
      vps_name: vpsArgument(),
      target_port: portArgument({ label: 'Port', example: '80' }),
      weight,
      is_backup: switchArgument({
        label: 'Backup: used only when all other backends fail',
        example: 'yes',
        flag: 'backup',
      }),
    },
  }),
  mode: choiceArgument({
    label: 'Mode',
    hint: 'In a command, you can type any other mode that the service knows.',
    example: 'roundrobin',
    flag: 'mode',
    options: loadBalancerModes,
  }),
  sticky_mode: choiceArgument({
    label: 'Stickiness',
    hint: 'In a command, you can type any other stickiness that the service knows.',
    example: 'cookie',
    flag: 'sticky',
    options: stickyModes,
  }),
  health_check_path: textArgument(
    { label: 'Health check path', example: '/healthz', flag: 'health', valueName: 'path', initial: '/' },
    healthCheckPath,
  ),
  redirect_https: switchArgument({
    label: 'Redirect HTTP to HTTPS',
    example: 'yes',
    flag: 'redirect-https',
  }),
  websocket_enabled: switchArgument({ label: 'Allow WebSocket', example: 'yes', flag: 'websocket' }),
  dedicated_port_id: dedicatedPort,
};

export const lbCreate = defineChange({
  name: 'lb create',
  heading: 'Create a load balancer',
  summary: 'Create a load balancer for a domain',
  arguments: balancerArguments,
  endpoint: createLoadBalancer,
  button: 'Create',
  title: ({ domain_name }) => `Create load balancer ${domain_name}`,
  target: ({ domain_name }) => domain_name,
  readTargetState: ({ read }, { domain_name }) =>
    readWebgatePartState(read, balancerLabel, ({ loadBalancers: all }) => {
      const found = all.find(({ domainName }) => domainName === domain_name);
      return found && { facts: formatBackends(found), record: found.record };
    }),
  request: ({ dedicated_port_id: portId, backends, ...settings }) => ({
    body: {
      ...settings,
      ...(portId !== undefined && { dedicated_port_id: Number(portId) }),
      backends: backends.map(toBackend),
    },
  }),
  outcome(data, { domain_name, backends }) {
    const label = backends.length === 1 ? 'Backend' : 'Backends';
    const leading = [{ label, value: backends.map(formatRequestedBackend).join(', ') }];
    const { facts, secrets } = formatResult(data, { leading, omit: ['domain_name', 'backends'] });
    return {
      title: `Load balancer ${domain_name} is created`,
      facts: facts.filter((fact) => !isUnlinkedPort(fact)),
      secrets,
      next: [
        { label: 'Show WebGate', operation: 'webgate', input: {} },
        { label: 'Delete', operation: 'lb delete', input: { domain: domain_name } },
      ],
    };
  },
});

/**
 * Converts a backend for the request body. Leaves out optional fields that weren't given, because the API
 * document shows no defaults.
 */
function toBackend({ vps_name, target_port, weight: share, is_backup }: RequestedBackend): Backend {
  return {
    vps_name,
    target_port,
    ...(share !== undefined && { weight: share }),
    ...(is_backup && { is_backup }),
  };
}

function formatRequestedBackend({ vps_name, target_port, is_backup }: RequestedBackend): string {
  return `${vps_name}:${target_port}${is_backup ? ' (backup)' : ''}`;
}

const optionPattern = /^(?:weight=(?<weight>\d+)|backup)$/;

/** Parses a typed backend such as `VPS-10001:80:weight=2:backup` into fields. The fields' schemas check the values. */
function parseBackend(word: string): RawRow | undefined {
  const [vps, port, ...options] = word.split(':');
  if (vps === undefined || port === undefined || !options.every((part) => optionPattern.test(part)))
    return undefined;
  const weight = options
    .map((part) => optionPattern.exec(part)?.groups?.weight)
    .find((value) => value !== undefined);
  return {
    vps_name: vps,
    target_port: port,
    is_backup: options.includes('backup'),
    ...(weight !== undefined && { weight }),
  };
}

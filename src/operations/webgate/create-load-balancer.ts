import { z } from 'zod';
import { createLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import { type Backend, loadBalancerModes, stickyModes } from '../../hosting/fields.ts';
import {
  type Argument,
  choiceArgument,
  integerArgument,
  portArgument,
  remoteArgument,
  rowsArgument,
  switchArgument,
  textArgument,
  vpsArgument,
} from '../argument.ts';
import { defineChange } from '../operation.ts';
import { linkablePorts } from '../sources/webgate.ts';
import { tellResult } from '../tell-result.ts';
import { backendFromWord } from './backend-word.ts';
import { isNoPort } from './describe.ts';
import { domainName } from './domain-name.ts';

/** A form has at most 100 blocks, of which each backend takes six. */
const mostBackends = 15;

const healthCheckPath = z
  .string()
  .trim()
  .regex(/^\/\S*$/, { error: 'A path begins with / and has no spaces' });

const portError = 'A dedicated port is given by its number, 0 for none';

/** The API document makes it optional, and writes 0 where there is none. */
const dedicatedPort: Argument<string | undefined> = {
  ...remoteArgument({
    source: linkablePorts,
    label: 'Dedicated port',
    hint: 'The dedicated port to link, if any.',
    example: '0',
    flag: 'dedicated-port',
    written: 'port',
  }),
  required: false,
  schema: z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, { error: portError })
    .optional(),
};

export const createBalancer = defineChange({
  name: 'lb create',
  heading: 'Create a load balancer',
  summary: 'Create a load balancer for a domain',
  arguments: {
    domain_name: textArgument({ label: 'Domain', example: 'app.example.com' }, domainName),
    backends: rowsArgument({
      label: 'Backend',
      hint: 'VPS:PORT, with :weight=N and :backup where wanted; give the option once for each backend.',
      example: 'VPS-10001:80:weight=2',
      flag: 'backend',
      written: 'VPS:PORT',
      most: mostBackends,
      fromWord: backendFromWord,
      fields: {
        vps_name: vpsArgument(),
        target_port: portArgument({ label: 'Port', example: '80' }),
        weight: integerArgument({ label: 'Weight', example: '1', min: 0, max: 1000, initial: 1 }),
        is_backup: switchArgument({ label: 'Only when the others fail', example: 'yes', flag: 'backup' }),
      },
    }),
    mode: choiceArgument({ label: 'Mode', example: 'roundrobin', flag: 'mode', options: loadBalancerModes }),
    sticky_mode: choiceArgument({
      label: 'Stickiness',
      example: 'cookie',
      flag: 'sticky',
      options: stickyModes,
    }),
    health_check_path: textArgument(
      { label: 'Health check path', example: '/healthz', flag: 'health', written: 'path', initial: '/' },
      healthCheckPath,
    ),
    redirect_https: switchArgument({
      label: 'Redirect HTTP to HTTPS',
      example: 'yes',
      flag: 'redirect-https',
    }),
    websocket_enabled: switchArgument({ label: 'Allow WebSocket', example: 'yes', flag: 'websocket' }),
    dedicated_port_id: dedicatedPort,
  },
  change: createLoadBalancer,
  button: 'Create',
  title: ({ domain_name }) => `Create load balancer ${domain_name}`,
  target: ({ domain_name }) => domain_name,
  request: ({ dedicated_port_id: portId = '0', backends, ...settings }) => ({
    body: {
      ...settings,
      dedicated_port_id: Number(portId),
      backends: backends.map((backend) => ({ ...backend })),
    },
  }),
  outcome(data, { domain_name, backends }) {
    const label = backends.length === 1 ? 'Backend' : 'Backends';
    const known = [{ label, value: backends.map(describeBackend).join(', ') }];
    const { facts, secrets } = tellResult(data, { known, without: ['domain_name', 'backends'] });
    return {
      title: `Load balancer ${domain_name} is created`,
      facts: facts.filter((fact) => !isNoPort(fact)),
      secrets,
      next: [{ label: 'Show WebGate', operation: 'webgate', input: {} }],
    };
  },
});

function describeBackend({ vps_name, target_port, is_backup }: Backend): string {
  return `${vps_name}:${target_port}${is_backup ? ' (backup)' : ''}`;
}

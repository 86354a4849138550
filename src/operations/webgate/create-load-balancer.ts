import { z } from 'zod';
import { createLoadBalancer } from '../../hosting/endpoints/webgate.ts';
import { type Backend, loadBalancerModes, stickyModes } from '../../hosting/fields.ts';
import {
  choiceArgument,
  integerArgument,
  portArgument,
  rowsArgument,
  switchArgument,
  textArgument,
  vpsArgument,
} from '../argument.ts';
import { readFacts } from '../facts.ts';
import { defineChange } from '../operation.ts';
import { backendFromWord } from './backend-word.ts';

/** A form has at most 100 blocks, of which each backend takes six. */
const mostBackends = 15;

const domainName = z
  .string({ error: 'Give the domain' })
  .trim()
  .toLowerCase()
  .pipe(z.hostname({ error: 'A domain looks like app.example.com' }).max(253));

const healthCheckPath = z
  .string()
  .trim()
  .regex(/^\/\S*$/, { error: 'A path begins with / and has no spaces' });

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
    dedicated_port_id: integerArgument({
      label: 'Dedicated port',
      hint: 'The identifier of a dedicated port to link; 0 for none.',
      example: '0',
      flag: 'dedicated-port',
      written: 'id',
      min: 0,
      max: 2_147_483_647,
      initial: 0,
    }),
  },
  change: createLoadBalancer,
  button: 'Create',
  title: ({ domain_name }) => `Create load balancer ${domain_name}`,
  target: ({ domain_name }) => domain_name,
  request: (input) => ({ body: { ...input, backends: input.backends.map((backend) => ({ ...backend })) } }),
  outcome: (data, { domain_name, backends }) => ({
    title: `Load balancer ${domain_name} is created`,
    facts: [
      {
        label: backends.length === 1 ? 'Backend' : 'Backends',
        value: backends.map(describeBackend).join(', '),
      },
      ...readFacts(data, { without: ['domain_name', 'backends'] }),
    ],
  }),
});

function describeBackend({ vps_name, target_port, is_backup }: Backend): string {
  return `${vps_name}:${target_port}${is_backup ? ' (backup)' : ''}`;
}

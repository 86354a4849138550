import { listSshMappings, setSshPort } from '../../hosting/endpoints/proxy-ssh.ts';
import { readSshPort } from '../../hosting/readings/ssh.ts';
import { portArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { tellResult } from '../tell-result.ts';

const label = 'SSH port now';

export const set = defineChange({
  name: 'ssh set',
  heading: 'Set the SSH port',
  summary: 'Set the SSH port of a VPS that the proxy connects to',
  arguments: {
    vps: vpsArgument(),
    port: portArgument({
      label: 'SSH port',
      example: '22',
      hint: 'The port that the SSH server of the VPS listens on, 1 to 65535.',
    }),
  },
  change: setSshPort,
  button: 'Set Port',
  warning: 'If nothing listens on that port, SSH by the proxy stops working.',
  title: ({ vps, port }) => `Set the SSH port of ${vps} to ${port}`,
  target: ({ vps }) => vps,
  present: ({ read }, { vps }) =>
    presentIfPermitted(label, async () => {
      const port = readSshPort(await read(listSshMappings, {}), vps);
      return presentOf([{ label, value: port === undefined ? 'not shown' : String(port) }]);
    }),
  request: ({ vps, port }) => ({ params: { vps_name: vps }, body: { port_vps_ssh: port } }),
  outcome: (data, { vps, port }) => ({
    title: `The SSH port of ${vps} is ${port}`,
    ...tellResult(data, { without: ['vps_name', 'port_vps_ssh'] }),
    next: [{ label: 'List SSH Ports', operation: 'ssh list', input: {} }],
  }),
});

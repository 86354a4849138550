import { listSshMappings, setSshPort } from '../../hosting/endpoints/proxy-ssh.ts';
import { readSshPort } from '../../hosting/readings.ts';
import { portArgument, vpsArgument } from '../argument.ts';
import { readFacts } from '../facts.ts';
import { ifPermitted } from '../if-permitted.ts';
import { defineChange } from '../operation.ts';

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
  async present({ read }, { vps }) {
    const port = await ifPermitted(async () =>
      String(readSshPort(await read(listSshMappings, {}), vps) ?? 'not shown'),
    );
    return { facts: [{ label: 'SSH port now', value: port }], state: port };
  },
  request: ({ vps, port }) => ({ params: { vps_name: vps }, body: { port_vps_ssh: port } }),
  outcome: (data, { vps, port }) => ({
    title: `The SSH port of ${vps} is ${port}`,
    facts: readFacts(data, { without: ['vps_name'] }),
  }),
});

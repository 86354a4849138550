import { listSshMappings, setSshPort } from '../../hosting/endpoints/proxy-ssh.ts';
import { readSshPort } from '../../hosting/payloads/ssh-mappings.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { portArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { createTargetState, findFactText, readTargetStateIfPermitted } from '../format/target-state.ts';

const label = 'SSH port now';

export const sshSet = defineChange({
  name: 'ssh set',
  heading: 'Set the SSH port',
  summary: 'Set the SSH port that the proxy connects to on a VPS',
  arguments: {
    vps: vpsArgument(),
    port: portArgument({
      label: 'SSH port',
      example: '22',
      hint: "The port that the VPS's SSH server listens on, 1 to 65535.",
    }),
  },
  endpoint: setSshPort,
  button: 'Set Port',
  warning: 'If nothing listens on that port, SSH through the proxy stops working.',
  title: ({ vps, port }) => `Set the SSH port of ${vps} to ${port}`,
  target: ({ vps }) => vps,
  readTargetState: ({ read }, { vps }) =>
    readTargetStateIfPermitted(label, async () => {
      const port = readSshPort(await read(listSshMappings, {}), vps);
      return createTargetState([{ label, value: port === undefined ? 'not shown' : String(port) }]);
    }),
  undo({ vps, port }, before) {
    const previous = Number(findFactText(before, label));
    if (!(previous > 0) || previous === port) return undefined;
    return {
      label: `Set SSH Port Back to ${previous}`,
      operation: 'ssh set',
      input: { vps, port: String(previous) },
      expected: [{ label, value: String(port) }],
    };
  },
  request: ({ vps, port }) => ({ params: { vps_name: vps }, body: { port_vps_ssh: port } }),
  outcome: (data, { vps, port }) => ({
    title: `The SSH port of ${vps} is ${port}`,
    ...formatResult(data, { omit: ['vps_name', 'port_vps_ssh'] }),
    next: [{ label: 'List SSH Ports', operation: 'ssh list', input: {} }],
  }),
});

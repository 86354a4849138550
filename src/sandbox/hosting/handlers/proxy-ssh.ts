import type * as endpoints from '../../../hosting/endpoints/proxy-ssh.ts';
import type { HandlersOf } from '../handler.ts';
import type { Machine } from '../state/machine.ts';

function describe({ vps_name, sshProxyPort, sshPort }: Machine) {
  return { vps_name, host: 'ssh-proxy.example.net', external_port: sshProxyPort, port_vps_ssh: sshPort };
}

/** Answers for the SSH proxy. */
export const proxySshHandlers: HandlersOf<typeof endpoints> = {
  listSshMappings: ({ account }) => ({ mappings: account.machines.all().map(describe) }),

  setSshPort({ account, params, body }) {
    const machine = account.machines.get(params.vps_name);
    machine.sshPort = body.port_vps_ssh;
    return describe(machine);
  },
};

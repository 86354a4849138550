import type * as endpoints from '../../../hosting/endpoints/proxy-ssh.ts';
import type { Vps } from '../state/vps.ts';
import type { PartHandlers } from './handler.ts';

function describe({ vps_name, sshProxyPort, sshPort }: Vps) {
  return { vps_name, host: 'ssh-proxy.example.net', external_port: sshProxyPort, port_vps_ssh: sshPort };
}

export const proxySshHandlers: PartHandlers<typeof endpoints> = {
  listSshMappings: ({ account, page }) => ({ mappings: page(account.vps.all()).map(describe) }),

  setSshPort({ account, params, body }) {
    const machine = account.vps.get(params.vps_name);
    machine.sshPort = body.port_vps_ssh;
    return describe(machine);
  },
};

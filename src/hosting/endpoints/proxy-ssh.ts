import { defineEndpoint } from './endpoint.ts';
import { tcpPort, vpsName } from './fields.ts';

export const listSshMappings = defineEndpoint({
  summary: 'Proxy SSH port mappings',
  method: 'GET',
  path: '/v1/services/proxy-ssh-ipv4',
  permission: 'proxy_ssh.read',
  params: {},
});

export const setSshPort = defineEndpoint({
  summary: 'Set the internal SSH port of a VPS',
  method: 'PATCH',
  path: '/v1/services/proxy-ssh-ipv4/vps/{vps_name}',
  permission: 'proxy_ssh.manage',
  effect: 'disrupt',
  params: { vps_name: vpsName },
  body: { port_vps_ssh: tcpPort },
});

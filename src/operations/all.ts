import { help } from './account/help.ts';
import { quota } from './account/quota.ts';
import { status } from './account/status.ts';
import { whoami } from './account/whoami.ts';
import { disableBackup } from './backup/disable.ts';
import { enableBackup } from './backup/enable.ts';
import { regenerateBackup } from './backup/regenerate.ts';
import { showBackup } from './backup/show.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { attach as attachIp } from './ip/attach.ts';
import { detach as detachIp } from './ip/detach.ts';
import { list as listIps } from './ip/list.ts';
import { graph } from './monitoring/graph.ts';
import { live } from './monitoring/live.ts';
import { create as createSnapshot } from './snapshot/create.ts';
import { remove as deleteSnapshot } from './snapshot/delete.ts';
import { list as listSnapshots } from './snapshot/list.ts';
import { restore as restoreSnapshot } from './snapshot/restore.ts';
import { list as listSshPorts } from './ssh/list.ts';
import { set as setSshPort } from './ssh/set.ts';
import { attach as attachVlan } from './vlan/attach.ts';
import { create as createVlan } from './vlan/create.ts';
import { remove as deleteVlan } from './vlan/delete.ts';
import { detach as detachVlan } from './vlan/detach.ts';
import { list as listVlans } from './vlan/list.ts';
import { createAction } from './vps/action.ts';
import { ips } from './vps/ips.ts';
import { list } from './vps/list.ts';
import { reboot } from './vps/reboot.ts';
import { reinstall } from './vps/reinstall.ts';
import { resetPassword } from './vps/reset-password.ts';
import { show } from './vps/show.ts';
import { addDomain } from './webgate/add-domain.ts';
import { closePort } from './webgate/close-port.ts';
import { createBalancer } from './webgate/create-load-balancer.ts';
import { deleteDomain } from './webgate/delete-domain.ts';
import { deleteBalancer } from './webgate/delete-load-balancer.ts';
import { openPort } from './webgate/open-port.ts';
import { webgate } from './webgate/show.ts';

export interface OperationSettings {
  /** Actions on a VPS that its form offers; `reboot`, the only one that the API document shows, unless given. */
  readonly vpsActions?: readonly [string, ...string[]];
}

/** Assembles everything that a person can do, grouped as the help shows it. */
export function allOperations({ vpsActions = ['reboot'] }: OperationSettings = {}): Catalogue {
  return createCatalogue([
    {
      heading: 'Servers',
      operations: [list, show, ips, reboot, createAction(vpsActions), reinstall, resetPassword],
    },
    { heading: 'Monitoring', operations: [live, graph] },
    { heading: 'Snapshots', operations: [listSnapshots, createSnapshot, restoreSnapshot, deleteSnapshot] },
    { heading: 'VLANs', operations: [listVlans, createVlan, attachVlan, detachVlan, deleteVlan] },
    { heading: 'IP addresses', operations: [listIps, attachIp, detachIp] },
    {
      heading: 'WebGate',
      operations: [webgate, addDomain, deleteDomain, openPort, closePort, createBalancer, deleteBalancer],
    },
    { heading: 'SSH', operations: [listSshPorts, setSshPort] },
    { heading: 'Backup', operations: [showBackup, enableBackup, disableBackup, regenerateBackup] },
    { heading: 'Service', operations: [status, whoami, quota, help] },
  ]);
}

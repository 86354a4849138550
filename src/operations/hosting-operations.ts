import { help } from './account/help.ts';
import { quota } from './account/quota.ts';
import { status } from './account/status.ts';
import { whoami } from './account/whoami.ts';
import { backupDisable } from './backup/disable.ts';
import { backupEnable } from './backup/enable.ts';
import { backupRegenerate } from './backup/regenerate.ts';
import { backupShow } from './backup/show.ts';
import { createCatalogue } from './define/catalogue.ts';
import type { Catalogue } from './define/operation.ts';
import { ipAttach } from './ip/attach.ts';
import { ipDetach } from './ip/detach.ts';
import { ipList } from './ip/list.ts';
import { graph } from './monitoring/graph.ts';
import { live } from './monitoring/live.ts';
import { snapshotCreate } from './snapshot/create.ts';
import { snapshotDelete } from './snapshot/delete.ts';
import { snapshotList } from './snapshot/list.ts';
import { snapshotRestore } from './snapshot/restore.ts';
import { sshList } from './ssh/list.ts';
import { sshSet } from './ssh/set.ts';
import { vlanAttach } from './vlan/attach.ts';
import { vlanCreate } from './vlan/create.ts';
import { vlanDelete } from './vlan/delete.ts';
import { vlanDetach } from './vlan/detach.ts';
import { vlanList } from './vlan/list.ts';
import { createActionOperation } from './vps/action.ts';
import { ips } from './vps/ips.ts';
import { list } from './vps/list/list.ts';
import { osList } from './vps/list-systems.ts';
import { reboot } from './vps/reboot.ts';
import { reinstall } from './vps/reinstall.ts';
import { passwordReset } from './vps/reset-password.ts';
import { show } from './vps/show.ts';
import { domainAdd } from './webgate/add-domain.ts';
import { portClose } from './webgate/close-port.ts';
import { lbCreate } from './webgate/create-load-balancer.ts';
import { domainDelete } from './webgate/delete-domain.ts';
import { lbDelete } from './webgate/delete-load-balancer.ts';
import { portOpen } from './webgate/open-port.ts';
import { webgate } from './webgate/show.ts';

export interface HostingOperationOptions {
  /** VPS actions that the form offers. Defaults to `reboot`, the only action that the API document shows. */
  readonly vpsActions?: readonly [string, ...string[]];
}

export function hostingOperations({ vpsActions = ['reboot'] }: HostingOperationOptions = {}): Catalogue {
  return createCatalogue([
    {
      heading: 'Servers',
      operations: [
        list,
        show,
        ips,
        reboot,
        createActionOperation(vpsActions),
        osList,
        reinstall,
        passwordReset,
      ],
    },
    { heading: 'Monitoring', operations: [live, graph] },
    { heading: 'Snapshots', operations: [snapshotList, snapshotCreate, snapshotRestore, snapshotDelete] },
    { heading: 'VLANs', operations: [vlanList, vlanCreate, vlanAttach, vlanDetach, vlanDelete] },
    { heading: 'IP addresses', operations: [ipList, ipAttach, ipDetach] },
    {
      heading: 'WebGate',
      operations: [webgate, domainAdd, domainDelete, portOpen, portClose, lbCreate, lbDelete],
    },
    { heading: 'SSH', operations: [sshList, sshSet] },
    { heading: 'Backup', operations: [backupShow, backupEnable, backupDisable, backupRegenerate] },
    { heading: 'Service', operations: [status, whoami, quota, help] },
  ]);
}

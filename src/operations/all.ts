import { help } from './account/help.ts';
import { status } from './account/status.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { create as createSnapshot } from './snapshot/create.ts';
import { set as setSshPort } from './ssh/set.ts';
import { list } from './vps/list.ts';
import { reboot } from './vps/reboot.ts';
import { show } from './vps/show.ts';
import { createBalancer } from './webgate/create-load-balancer.ts';

/** Assembles everything that a person can do, grouped as the help shows it. */
export function allOperations(): Catalogue {
  return createCatalogue([
    { heading: 'Servers', operations: [list, show, reboot] },
    { heading: 'Snapshots', operations: [createSnapshot] },
    { heading: 'Network', operations: [createBalancer, setSshPort] },
    { heading: 'Service', operations: [status, help] },
  ]);
}

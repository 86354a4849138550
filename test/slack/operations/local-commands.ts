/**
 * Commands of operations that act on Rackhand's own data. Each of them succeeds if an owner of a new
 * workspace types them in this order.
 */
export const localCommands: readonly string[] = [
  'report add daily 09:00 --name Morning',
  'report list',
  'report show Morning',
  'report edit Morning --when "daily 08:00"',
  'report pause Morning',
  'report resume Morning',
  'report skip Morning',
  'report run Morning',
  'report run --vps VPS-1000*',

  'watch add VPS-100* cpu > 99% for 20m --name Busy',
  'watch list',
  'watch show Busy',
  'watch edit Busy --for 30m',
  'watch test Busy',
  'watch pause Busy',
  'watch resume Busy',

  'mute VPS-10002 --for 4h',
  'maintenance VPS-10002 "every sat 02:00-04:00" --name Kernel',
  'maintenance VPS-10002 "now for 2h" --name Now',
  'maintenance list',
  'maintenance end Now',
  'maintenance show Kernel',
  'maintenance edit Kernel --when "every sun 02:00-04:00"',
  'maintenance skip Kernel',
  'maintenance pause Kernel',
  'maintenance resume Kernel',
  'maintenance delete Kernel',

  'schedule snapshot VPS-10002 daily 02:00 --name Nightly',
  'schedule list',
  'schedule show Nightly',
  'schedule skip Nightly',
  'schedule edit Nightly --announce 5m',
  'schedule pause Nightly',
  'schedule resume Nightly',

  'settings --notify failed',
  'alias VPS-10001 front',
  'alias remove VPS-10001',
  'history',

  'service',
  'service set live.cpu cpu --unit fraction',
  'service reset live.cpu',

  'access',
  'access grant @alice view',
  'access revoke @alice',
  'access channel #quiet destroy',
  'access channel #quiet admin',
  'approval require reboot --vps VPS-10002',
  'approval list',
  'approval delete reboot',
  'disconnect',
  'access ask destroy VPS-10002',

  'schedule delete Nightly',
  'watch delete Busy',
  'report delete Morning',
];

/** Adds a watch that alerts about a VPS that is stopped in the sandbox. */
export const alertingWatch = 'watch add VPS-10012 status is stopped for 1m --name Down';

/** Commands that need an alert of that watch. */
export const alertCommands: readonly string[] = ['watch acknowledge Down', 'watch assign Down @alice'];

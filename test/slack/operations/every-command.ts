import type { Right } from '../../../src/operations/define/access/right.ts';

/** Commands with the access that they need. This is written down here, and not read from the code. */
export interface CommandGroup {
  /** `null` means that every member can run them. */
  readonly right: Right | null;
  /** Where the right is needed: on all VPS, on any, or on VPS-10001, which each command then names. */
  readonly on: 'all' | 'any' | 'VPS-10001';
  readonly commands: readonly string[];
}

/** At least one command of each operation of the app. None of them changes the rights of a person. */
export const commandGroups: readonly CommandGroup[] = [
  {
    right: null,
    on: 'any',
    commands: [
      'schedule reboot VPS-10001 daily 02:00',
      'schedule list',
      'schedule show Nothing-schedule',
      'schedule pause Nothing-schedule',
      'schedule resume Nothing-schedule',
      'schedule delete Nothing-schedule',
      'schedule skip Nothing-schedule',
      'schedule edit Nothing-schedule --announce 5m',
      'help',
      'quota',
      'access',
      'access ask destroy VPS-10002',
      'history',
      'settings --notify failed',
    ],
  },
  {
    right: 'view',
    on: 'any',
    commands: ['status', 'whoami', 'list', 'report run Nothing'],
  },
  {
    right: 'view',
    on: 'VPS-10001',
    commands: [
      'show VPS-10001',
      'ips VPS-10001',
      'os list VPS-10001',
      'live VPS-10001',
      'graph VPS-10001',
      'snapshot list VPS-10001',
      'vlan list VPS-10001',
      'backup show VPS-10001',
    ],
  },
  {
    right: 'view',
    on: 'all',
    commands: [
      'webgate',
      'ip list',
      'ssh list',
      'approval list',
      'report list',
      'report show Nothing',
      'watch list',
      'watch show Nothing-watch',
      'maintenance list',
      'maintenance show Nothing-maintenance',
    ],
  },
  {
    right: 'operate',
    on: 'VPS-10001',
    commands: [
      'reboot VPS-10001',
      'action VPS-10001 start',
      'snapshot create VPS-10001 nightly',
      'vlan attach VPS-10001 staging',
      'ip attach 198.18.0.23 VPS-10001',
      'domain add new.acme.example VPS-10001',
      'port open VPS-10001 http 8080',
      'lb create plain.acme.example --backend VPS-10001:80',
      'ssh set VPS-10001 2222',
      'backup enable VPS-10001',
      'mute VPS-10001 --for never',
      'alias VPS-10001 front',
      'alias remove VPS-10001',
    ],
  },
  {
    right: 'operate',
    on: 'all',
    commands: [
      'vlan create VPS-10001 office 10.40.0.0/24',
      'report add never',
      'report edit Nothing --when "daily 08:00"',
      'report pause Nothing',
      'report resume Nothing',
      'report skip Nothing',
      'report delete Nothing',
      'watch add nonsense',
      'watch edit Nothing-watch --for 20m',
      'watch pause Nothing-watch',
      'watch resume Nothing-watch',
      'watch skip Nothing-watch',
      'watch delete Nothing-watch',
      'watch test Nothing-watch',
      'maintenance * never',
    ],
  },
  {
    right: 'operate',
    on: 'any',
    commands: [
      'maintenance edit Nothing-maintenance --when "now for 2h"',
      'maintenance skip Nothing-maintenance',
      'maintenance pause Nothing-maintenance',
      'maintenance resume Nothing-maintenance',
      'maintenance end Nothing-maintenance',
      'maintenance delete Nothing-maintenance',
      'watch acknowledge Nothing-watch',
      'watch assign Nothing-watch @alice',
    ],
  },
  {
    right: 'destroy',
    on: 'VPS-10001',
    commands: [
      'reinstall VPS-10001 --os debian-13',
      'password reset VPS-10001',
      'snapshot restore VPS-10001 WEEKLY',
      'snapshot delete VPS-10001 before-upgrade',
      'vlan detach VPS-10001 Backend',
      'backup disable VPS-10001',
      'backup regenerate VPS-10001',
    ],
  },
  {
    right: 'destroy',
    on: 'all',
    commands: [
      'vlan delete VPS-10001 10.30.0.0/24',
      'ip detach 503',
      'domain delete shop.acme.example',
      'port close 45020',
      'lb delete www.acme.example',
    ],
  },
  {
    right: 'admin',
    on: 'all',
    commands: [
      'connect',
      'rotate',
      'disconnect',
      'history --export csv',
      'history --to #C0GENERAL',
      'service',
      'service set live.cpu nothing',
      'service reset nothing',
      'access grant @alice view',
      'access revoke @alice',
      'access channel #quiet destroy',
      'approval require nothing',
      'approval delete nothing',
    ],
  },
];

export const everyCommand: readonly string[] = commandGroups.flatMap(({ commands }) => commands);

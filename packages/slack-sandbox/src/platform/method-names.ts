/**
 * The Web API methods of Slack: those that @slack/web-api knows, and those in the reference at
 * docs.slack.dev (August 2026: 213 without `admin.*`).
 */
export const slackMethodNames: ReadonlySet<string> = new Set(
  `
  admin.analytics.getFile admin.apps.activities.list admin.apps.approve admin.apps.approved.list
  admin.apps.clearResolution admin.apps.config.lookup admin.apps.config.set admin.apps.requests.cancel
  admin.apps.requests.list admin.apps.restrict admin.apps.restricted.list admin.apps.uninstall
  admin.auth.policy.assignEntities admin.auth.policy.getEntities admin.auth.policy.removeEntities
  admin.barriers.create admin.barriers.delete admin.barriers.list admin.barriers.update
  admin.conversations.archive admin.conversations.bulkArchive admin.conversations.bulkDelete
  admin.conversations.bulkMove admin.conversations.convertToPrivate admin.conversations.convertToPublic
  admin.conversations.create admin.conversations.delete admin.conversations.disconnectShared
  admin.conversations.ekm.listOriginalConnectedChannelInfo admin.conversations.getConversationPrefs
  admin.conversations.getCustomRetention admin.conversations.getTeams admin.conversations.invite
  admin.conversations.lookup admin.conversations.removeCustomRetention admin.conversations.rename
  admin.conversations.restrictAccess.addGroup admin.conversations.restrictAccess.listGroups
  admin.conversations.restrictAccess.removeGroup admin.conversations.search
  admin.conversations.setConversationPrefs admin.conversations.setCustomRetention
  admin.conversations.setTeams admin.conversations.unarchive admin.emoji.add admin.emoji.addAlias
  admin.emoji.list admin.emoji.remove admin.emoji.rename admin.functions.list
  admin.functions.permissions.lookup admin.functions.permissions.set admin.inviteRequests.approve
  admin.inviteRequests.approved.list admin.inviteRequests.denied.list admin.inviteRequests.deny
  admin.inviteRequests.list admin.roles.addAssignments admin.roles.listAssignments
  admin.roles.removeAssignments admin.teams.admins.list admin.teams.create admin.teams.list
  admin.teams.owners.list admin.teams.settings.info admin.teams.settings.setDefaultChannels
  admin.teams.settings.setDescription admin.teams.settings.setDiscoverability
  admin.teams.settings.setIcon admin.teams.settings.setName admin.usergroups.addChannels
  admin.usergroups.addTeams admin.usergroups.listChannels admin.usergroups.removeChannels
  admin.users.assign admin.users.getExpiration admin.users.invite admin.users.list admin.users.remove
  admin.users.session.clearSettings admin.users.session.getSettings admin.users.session.invalidate
  admin.users.session.list admin.users.session.reset admin.users.session.resetBulk
  admin.users.session.setSettings admin.users.setAdmin admin.users.setExpiration admin.users.setOwner
  admin.users.setRegular admin.users.unsupportedVersions.export admin.workflows.collaborators.add
  admin.workflows.collaborators.remove admin.workflows.permissions.lookup admin.workflows.search
  admin.workflows.unpublish agents.conversations.archive agents.conversations.create
  agents.conversations.getCanvas agents.conversations.listViews agents.conversations.removeView
  agents.conversations.setCanvasContent agents.conversations.setCommands
  agents.conversations.setProperties agents.conversations.setView agents.sessions.rename
  agents.sessions.setStatus api.test apps.activities.list apps.auth.external.delete
  apps.auth.external.get apps.connections.open apps.datastore.bulkDelete apps.datastore.bulkGet
  apps.datastore.bulkPut apps.datastore.count apps.datastore.delete apps.datastore.get
  apps.datastore.put apps.datastore.query apps.datastore.update apps.event.authorizations.list
  apps.icon.set apps.managed.permissions.set apps.manifest.create apps.manifest.delete
  apps.manifest.export apps.manifest.update apps.manifest.validate apps.uninstall
  apps.user.connection.update assistant.search.context assistant.search.info
  assistant.threads.setStatus assistant.threads.setSuggestedPrompts assistant.threads.setTitle
  auth.revoke auth.teams.list auth.test blocks.validate bookmarks.add bookmarks.edit bookmarks.list
  bookmarks.remove bots.info calls.add calls.end calls.info calls.participants.add
  calls.participants.remove calls.update canvases.access.delete canvases.access.set canvases.create
  canvases.delete canvases.edit canvases.sections.lookup chat.appendStream chat.command chat.delete
  chat.deleteScheduledMessage chat.getPermalink chat.meMessage chat.postEphemeral chat.postMessage
  chat.scheduleMessage chat.scheduledMessages.list chat.startStream chat.stopStream chat.unfurl
  chat.update conversations.acceptSharedInvite conversations.approveSharedInvite conversations.archive
  conversations.canvases.create conversations.close conversations.create
  conversations.declineSharedInvite conversations.externalInvitePermissions.set conversations.history
  conversations.info conversations.invite conversations.inviteShared conversations.join
  conversations.kick conversations.leave conversations.list conversations.listConnectInvites
  conversations.mark conversations.members conversations.open conversations.rename
  conversations.replies conversations.requestSharedInvite.approve
  conversations.requestSharedInvite.deny conversations.requestSharedInvite.list
  conversations.setPurpose conversations.setTopic conversations.unarchive dialog.open dnd.endDnd
  dnd.endSnooze dnd.info dnd.setSnooze dnd.teamInfo emoji.list entity.acknowledgeCommentAction
  entity.presentComments entity.presentDetails files.comments.delete files.completeUploadExternal
  files.delete files.edit files.getUploadURLExternal files.info files.list files.remote.add
  files.remote.info files.remote.list files.remote.remove files.remote.share files.remote.update
  files.revokePublicURL files.share files.sharedPublicURL files.upload functions.completeError
  functions.completeSuccess functions.distributions.permissions.add
  functions.distributions.permissions.list functions.distributions.permissions.remove
  functions.distributions.permissions.set functions.workflows.steps.list
  functions.workflows.steps.responses.export migration.exchange oauth.access oauth.v2.access
  oauth.v2.exchange oauth.v2.user.access openid.connect.token openid.connect.userInfo pins.add
  pins.list pins.remove reactions.add reactions.get reactions.list reactions.remove reminders.add
  reminders.complete reminders.delete reminders.info reminders.list rtm.connect rtm.start search.all
  search.files search.messages slackLists.access.delete slackLists.access.set slackLists.create
  slackLists.download.get slackLists.download.start slackLists.items.create slackLists.items.delete
  slackLists.items.deleteMultiple slackLists.items.info slackLists.items.list slackLists.items.update
  slackLists.update stars.add stars.list stars.remove team.accessLogs team.billableInfo
  team.billing.info team.externalTeams.disconnect team.externalTeams.list team.info
  team.integrationLogs team.preferences.list team.profile.get tooling.tokens.rotate usergroups.create
  usergroups.disable usergroups.enable usergroups.list usergroups.update usergroups.users.list
  usergroups.users.update users.admin.invite users.admin.setInactive users.conversations
  users.deletePhoto users.discoverableContacts.lookup users.getPresence users.identity users.info
  users.list users.lookupByEmail users.prefs.get users.profile.get users.profile.set users.setActive
  users.setPhoto users.setPresence views.open views.publish views.push views.update
  workflows.featured.add workflows.featured.list workflows.featured.remove workflows.featured.set
  workflows.triggers.permissions.add workflows.triggers.permissions.list
  workflows.triggers.permissions.remove workflows.triggers.permissions.set
  `
    .trim()
    .split(/\s+/),
);

package dev.millrace.cli.services.server;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import java.util.List;

/** Sample tenants: an organisation, its teams, their keys, and limits of some models. */
final class SampleTenants {
  /** Recorded in the audit. */
  static final String ACTOR = "samples";

  private SampleTenants() {}

  static void create(Admin admin) {
    NamespaceAdmin tenants = admin.as(ACTOR).in("default");
    tenants
        .entities()
        .createAll(
            List.of(
                NewEntity.of("acme").named("Acme Inc."),
                NewEntity.of("acme-search").named("Search team").under("acme").cascading(),
                NewEntity.of("acme-chat").named("Chat team").under("acme").cascading(),
                NewEntity.of("key-alice").named("Alice").under("acme-search").cascading(),
                NewEntity.of("key-bob").named("Bob").under("acme-chat").cascading()));
    tenants.limits().set(LimitTarget.resource("gpt-4o"), limits(100, 10_000));
    tenants.limits().set(LimitTarget.resource("claude-sonnet"), limits(60, 20_000));
    tenants.limits().set(LimitTarget.entityResource("acme", "gpt-4o"), limits(500, 50_000));
    tenants.limits().set(LimitTarget.entityResource("acme-search", "gpt-4o"), limits(200, 30_000));
    tenants.limits().set(LimitTarget.system(), LimitSet.of(Limit.perMinute("rpm", 1_000)));
  }

  private static LimitSet limits(long requests, long tokens) {
    return LimitSet.of(Limit.perMinute("rpm", requests), Limit.perMinute("tpm", tokens));
  }
}

package dev.millrace.examples.llmgateway;

import java.util.List;
import java.util.Optional;

/**
 * One key of a customer. The limits of these are in {@code limits.yaml}.
 *
 * @param plan what the customer pays for
 * @param secret what callers send; a real gateway keeps only its digest
 * @param key the entity of the key
 * @param team its parent
 * @param organisation its parent's parent
 */
record Tenant(String plan, String secret, String key, String team, String organisation) {
  static final List<Tenant> ALL =
      List.of(
          new Tenant("free", "sk-hobby", "key-hobby", "hobby-team", "hobby"),
          new Tenant("pro", "sk-studio", "key-studio", "studio-app", "studio"),
          new Tenant("enterprise", "sk-search", "key-search", "globex-search", "globex"),
          new Tenant("enterprise", "sk-support", "key-support", "globex-support", "globex"));

  static Optional<Tenant> withSecret(String secret) {
    return ALL.stream().filter(tenant -> tenant.secret.equals(secret)).findFirst();
  }
}

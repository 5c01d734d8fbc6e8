package dev.millrace.spring.internal;

import org.jspecify.annotations.Nullable;

/** The tenants of keys, as an application knows them. */
class Tenants {
  public @Nullable String of(@Nullable String authorization) {
    return authorization == null ? null : authorization.replace("Bearer ", "");
  }
}

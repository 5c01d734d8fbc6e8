package dev.millrace.spring.web;

import org.jspecify.annotations.Nullable;

/** Who is behind a key, as an application knows it. */
class Tenants {
  public @Nullable String of(@Nullable String authorization) {
    return authorization == null ? null : authorization.replace("Bearer ", "");
  }
}

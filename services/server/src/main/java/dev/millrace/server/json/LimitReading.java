package dev.millrace.server.json;

import dev.millrace.Limit;
import java.time.Duration;

/** Limits as they are sent: {@code {"name":"rpm","rate":100,"per":"PT1M","burst":200}}. */
public final class LimitReading {
  private static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);

  private LimitReading() {}

  /** A burst below the rate is a limit that must be spent evenly: its capacity is the burst. */
  public static Limit read(JsonFields fields) {
    String name = fields.text("name");
    long rate = fields.whole("rate");
    Long given = fields.wholeOrNull("burst");
    long burst = given == null ? rate : given;
    Duration per = fields.durationOrNull("per");
    boolean soft = fields.flag("soft", false);
    fields.done();
    Limit limit =
        Limit.custom(name, Math.min(rate, burst), rate, per == null ? DEFAULT_PERIOD : per)
            .withBurst(burst);
    return soft ? limit.asSoft() : limit;
  }
}

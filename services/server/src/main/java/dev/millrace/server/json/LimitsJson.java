package dev.millrace.server.json;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.time.Duration;

/** Limits as requests send them: {@code {"name":"rpm","rate":100,"per":"PT1M","burst":200}}. */
public final class LimitsJson {
  private static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);

  private LimitsJson() {}

  /** The limits of the list {@code name}, which has from one to {@code most} entries. */
  public static LimitSet limits(JsonFields body, String name, int most) {
    return LimitSet.of(body.objects(name, most).stream().map(LimitsJson::limit).toList());
  }

  /** A burst below the rate makes a limit that must be spent evenly: its capacity is the burst. */
  private static Limit limit(JsonFields fields) {
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

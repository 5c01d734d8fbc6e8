package dev.millrace.client.support;

import dev.millrace.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was admitted and when, checked against the promise of a bounded burst: in every interval of
 * length t at most {@code burst + rate × (t + Δ + skew)}.
 */
public final class AdmissionLog {
  /** Admitted at some moment between the call and its return. */
  public record Admission(long calledMs, long returnedMs, long milli) {}

  private final List<Admission> admissions = new ArrayList<>();

  public synchronized void add(long calledMs, long returnedMs, long milli) {
    admissions.add(new Admission(calledMs, returnedMs, milli));
  }

  public synchronized void addAll(AdmissionLog other) {
    admissions.addAll(other.admissions());
  }

  public synchronized List<Admission> admissions() {
    return List.copyOf(admissions);
  }

  public long totalMilli() {
    return admissions().stream().mapToLong(Admission::milli).sum();
  }

  /**
   * The greatest ratio of what was admitted to what is allowed, over every interval. An admission
   * counts for an interval only when it surely lies in it: called and returned inside.
   */
  public double worstRatio(Limit limit, long grainMs, long skewMs) {
    List<Admission> byReturn = new ArrayList<>(admissions());
    byReturn.sort(Comparator.comparingLong(Admission::returnedMs));
    double ratePerMs = (double) limit.refill().amountMilli() / limit.refill().periodMs();
    double worst = 0;
    for (Admission first : byReturn) {
      long fromMs = first.calledMs();
      double sum = 0;
      for (Admission admission : byReturn) {
        if (admission.calledMs() >= fromMs) {
          sum += admission.milli();
          double lengthMs = (double) admission.returnedMs() - fromMs;
          double allowed = limit.burstMilli() + ratePerMs * (lengthMs + grainMs + skewMs);
          worst = Math.max(worst, sum / allowed);
        }
      }
    }
    return worst;
  }
}

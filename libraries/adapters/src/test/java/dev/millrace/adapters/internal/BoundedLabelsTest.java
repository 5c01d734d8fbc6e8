package dev.millrace.adapters.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names as labels, a bounded number of them. */
class BoundedLabelsTest {
  @Test
  void of_moreNamesThanAreToldApart_areOther() {
    BoundedLabels labels = new BoundedLabels(2);
    assertThat(labels.of("a")).isEqualTo("a");
    assertThat(labels.of("b")).isEqualTo("b");
    assertThat(labels.of("c")).isEqualTo("other");
    assertThat(labels.of("a")).isEqualTo("a");
  }
}

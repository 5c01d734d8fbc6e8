package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.StoreContract;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about reading. */
public interface ReadContract extends StoreUnderTest {
  @ParameterizedTest
  @EnumSource
  default void read_missing_findsNothing(StorePort driver) {
    assertThat(new ContractBucket(this, driver).read()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void read_present_findsWhatWasWritten(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 100_000, 0));
    assertThat(bucket.read()).isEqualTo(bucket.created(limit("rpm", 100_000, 0)));
    assertThat(bucket.read()).as("reading changes nothing").isEqualTo(bucket.read());
  }

  @ParameterizedTest
  @EnumSource
  default void read_otherBuckets_areNotFound(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 100_000, 0));
    assertThat(new ContractBucket(this, driver).read()).isNull();
  }
}

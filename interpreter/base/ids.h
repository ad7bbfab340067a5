// Strong ids: small integers that name a node in a typed vector.
//
// An id carries no ownership and no pointer. A default id is invalid. Ids of different
// tags do not convert into each other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace arbiter {

template <class Tag>
struct Id {
  int32_t value = -1;

  constexpr Id() = default;
  constexpr explicit Id(int32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<int32_t>(v)) {}

  [[nodiscard]] constexpr bool valid() const { return value >= 0; }
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr auto operator<=>(const Id&) const = default;
};

// A vector indexed by one kind of id only.
template <class IdT, class T>
class IdVector {
 public:
  IdT Add(T value) {
    items_.push_back(std::move(value));
    return IdT(items_.size() - 1);
  }
  T& operator[](IdT id) { return items_[id.index()]; }
  const T& operator[](IdT id) const { return items_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] IdT next_id() const { return IdT(items_.size()); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  T& back() { return items_.back(); }

 private:
  std::vector<T> items_;
};

}  // namespace arbiter

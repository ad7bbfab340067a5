// Ids of the nodes of the checked rules.
#pragma once

#include "base/ids.h"

namespace arbiter::rules {

using ExprId = Id<struct ExprTag>;
using WalkId = Id<struct WalkTag>;
using WalkNodeId = Id<struct WalkNodeTag>;
using ActionId = Id<struct ActionTag>;
using OfferId = Id<struct OfferTag>;
using TurnStateId = Id<struct TurnStateTag>;
using ZoneId = Id<struct ZoneTag>;
using VarId = Id<struct VarTag>;
using SetupId = Id<struct SetupTag>;

}  // namespace arbiter::rules

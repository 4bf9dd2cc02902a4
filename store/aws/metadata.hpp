// store/aws/metadata.hpp
//
// Credentials that the machine itself has: of a container's agent, or of the instance.
//
// Shape    A container is asked where its environment says. An instance is asked by version 2 of
//          its metadata service, for at most a second in all: off the cloud nobody answers.
// Errors   Throws Error. Its text is the reason why this source gave nothing.
// Source   AWS SDKs and Tools Reference Guide, "Container credential provider" and "IMDS credential
//          provider".

#pragma once

#include "store/aws/credentials.hpp"

namespace idxfsck::store {

// Does the environment name a container's agent?
bool names_container(const AwsSurroundings& around);

Credentials container_credentials(const AwsSurroundings& around);
Credentials instance_credentials(const AwsSurroundings& around);

}  // namespace idxfsck::store
